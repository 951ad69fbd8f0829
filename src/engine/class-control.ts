import { viewBoardSession } from './class-board.ts';
import type { Lessons } from './lessons.ts';
import { phaseOf } from './machine.ts';
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
    const changed = await store.freezeSessions(teacher, {
      classId,
      sessionId,
      frozen: action === 'freeze',
      now: clock.now(),
    });
    if (!changed) return refuse('NOT_FOUND');
    for (const session of changed) feed.publish(classId, 'session', viewBoardSession(session));
    return { kind: 'controlled', sessionIds: changed.map((session) => session.sessionId) };
  }
  const sessions = await store.classSessions(teacher, classId, clock.now() - dayMs);
  if (!sessions) return refuse('NOT_FOUND');
  const wanted = sessions.filter(
    (session) => session.status === 'active' && (sessionId === null || session.sessionId === sessionId),
  );
  const moved = await Promise.all(
    wanted.map((session) =>
      moveSession(parts, { schoolId: teacher.schoolId, userId: session.ownerId }, { session, phase }),
    ),
  );
  return { kind: 'controlled', sessionIds: moved.filter((id) => id !== null) };
}

/** Moves one session to `phase`, or without one to where its conversation ends; null where it cannot be moved there. */
async function moveSession(
  { access, lessons, runner }: ControlParts,
  owner: Owner,
  { session, phase }: { session: ClassSession; phase: string | null },
): Promise<string | null> {
  const opened = await access.open(owner, session.sessionId);
  if (opened.kind === 'refused') return null;
  const target = phase ?? phaseOf(opened.lesson, opened.state)?.ai_transitions?.on_max_exchanges;
  if (target === undefined) return null;
  const { liveTurnId } = opened.loaded;
  if (liveTurnId !== null) await runner.stop(liveTurnId);
  const advanced = await lessons.advance(owner, session.sessionId, target);
  return advanced.kind === 'view' ? session.sessionId : null;
}
