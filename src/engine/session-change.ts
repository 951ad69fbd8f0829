import type { LessonState } from './machine.ts';
import type { SessionChange, SessionRecord } from './ports/store.ts';

/** The state as kept with the session. */
export function writeState(state: LessonState): string {
  return JSON.stringify(state);
}

/** The state as last kept. The store gives back what `writeState` made, so this only parses. */
export function readState(session: SessionRecord): LessonState {
  return JSON.parse(session.state) as LessonState;
}

/** The change that puts a session into `state`. */
export function sessionChange(session: SessionRecord, state: LessonState, now: number): SessionChange {
  return {
    sessionId: session.id,
    expectedVersion: session.version,
    status: state.completed ? 'completed' : 'active',
    phase: state.phase,
    outcome: state.outcome,
    state: writeState(state),
    updatedAt: now,
  };
}
