import { viewBoardSession } from './class-board.ts';
import type { Lessons } from './lessons.ts';
import { moveTo, phaseOf } from './machine.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { ClassFeed } from './ports/class-feed.ts';
import type { ClassSession, Owner, Store } from './ports/store.ts';
import type { Clock } from '../core/clock.ts';
import type { SessionAccess } from './session-access.ts';
import type { TurnRunner } from './turn.ts';

export type ControlParts = {
  store: Store;
  feed: ClassFeed;
  clock: Clock;
  lessons: Lessons;
  access: SessionAccess;
  runner: TurnRunner;
};

export type ControlRequest = {
  classId: string;
  action: 'freeze' | 'resume' | 'advance' | 'bell';
  /** One session; null for all that are active. */
  sessionId: string | null;
  /** With `advance`: where to. */
  phase: string | null;
};

const dayMs = 86_400_000;

/**
 * A teacher steers the room. `freeze` and `resume` pause lessons and go on; `advance` moves them to a phase; `bell`
 * ends conversations where they stand, as if their last exchange had come, so that everyone reaches the reveal before
 * they leave. Sessions that a step does not fit stay as they are. Says which sessions changed.
 */
export async function controlClass(
  parts: ControlParts,
  teacher: Owner,
  request: ControlRequest,
): Promise<Refusal | { kind: 'controlled'; sessionIds: string[] }> {
  const { store, feed, clock } = parts;
  const { classId, sessionId, action, phase } = request;
  if (action === 'advance' && phase === null)
    return refuse('INVALID_REQUEST', { errors: [{ path: 'phase', message: 'is needed to advance' }] });
  if (sessionId !== null && !(await store.sessionOwner(teacher, classId, sessionId))) return refuse('NOT_FOUND');
  if (action === 'freeze' || action === 'resume') {
    const changed = await store.freezeSessions(teacher, { classId, sessionId, frozen: action === 'freeze' });
    if (!changed) return refuse('NOT_FOUND');
    const updatedAt = clock.now();
    for (const session of changed) feed.publish(classId, 'session', viewBoardSession({ ...session, updatedAt }));
    return { kind: 'controlled', sessionIds: changed.map((session) => session.sessionId) };
  }
  const sessions = await store.classSessions(teacher, classId, clock.now() - dayMs);
  if (!sessions) return refuse('NOT_FOUND');
  const wanted = sessions.filter(
    (session) => session.status === 'active' && (sessionId === null || session.sessionId === sessionId),
  );
  const steps = await Promise.all(
    wanted.map((session) =>
      moveSession(parts, { schoolId: teacher.schoolId, userId: session.ownerId }, { session, phase }),
    ),
  );
  const sessionIds = wanted.flatMap(({ sessionId: id }, index) => (steps[index]?.kind === 'moved' ? [id] : []));
  const refusal = steps.find((step) => step.kind === 'refused');
  // Where the step fits nobody the teacher is told why: a phase that is written wrongly, for one.
  return refusal && sessionIds.length === 0 ? refusal : { kind: 'controlled', sessionIds };
}

/**
 * Moves one session to `phase`, or without one to where its conversation ends. What does not fit is seen before a live
 * reply is ended for it. `unfit`: there is nowhere to move it to, or it cannot be opened.
 */
async function moveSession(
  { access, lessons, runner }: ControlParts,
  owner: Owner,
  { session, phase }: { session: ClassSession; phase: string | null },
): Promise<Refusal | { kind: 'moved' } | { kind: 'unfit' }> {
  const opened = await access.open(owner, session.sessionId);
  if (opened.kind === 'refused') return { kind: 'unfit' };
  const target = phase ?? phaseOf(opened.lesson, opened.state)?.ai_transitions?.on_max_exchanges;
  if (target === undefined) return { kind: 'unfit' };
  const step = moveTo(opened.lesson, opened.state, target);
  if (step.kind === 'refused') return step;
  const { liveTurnId } = opened.loaded;
  if (liveTurnId !== null) await runner.stop(liveTurnId);
  const advanced = await lessons.advance(owner, session.sessionId, target);
  return advanced.kind === 'refused' ? advanced : { kind: 'moved' };
}
