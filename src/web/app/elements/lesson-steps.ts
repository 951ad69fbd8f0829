import type { ProblemError } from '../../client/problem.ts';
import type { SessionView } from '../../protocol-types.ts';

/** What a part of a lesson can ask of the lesson as a whole. */
export interface LessonSteps {
  /** Takes a way on; says what went wrong by itself. */
  choose(way: { choice: number } | { targetPhase: string }): Promise<void>;
  /** Fetches the session again and shows where it stands. */
  reload(): Promise<void>;
  /** Shows the place that a refusal means: the door, the changed lesson, or where the session stands now. */
  recover(problem: ProblemError): Promise<void>;
  /** Begins the same lesson anew. */
  restart(): Promise<void>;
  show(view: SessionView): void;
}
