import type {
  ClassRecord,
  NewTurn,
  Owner,
  SessionChange,
  SessionRecord,
  Store,
  TurnSettlement,
} from '../../src/engine/ports/store.ts';

/** A moment to count from, at the beginning of a minute. */
export const start = Date.UTC(2026, 8, 1, 8, 0, 0);

let made = 0;

/** An id that no other test of this process uses. */
export function freshId(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}

export function anOwner(schoolId = freshId('school')): Owner {
  return { schoolId, userId: freshId('user') };
}

export function aClass(owner: Owner, over: Partial<ClassRecord> = {}): ClassRecord {
  return {
    id: freshId('class'),
    schoolId: owner.schoolId,
    teacherId: owner.userId,
    title: '9b',
    joinCode: freshId('CODE'),
    cartridgeIds: null,
    createdAt: start,
    ...over,
  };
}

export function aSession(owner: Owner, over: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: freshId('session'),
    schoolId: owner.schoolId,
    ownerId: owner.userId,
    ownerRole: 'student',
    classId: null,
    kind: 'lesson',
    cartridgeId: 'click-trap-1',
    cartridgeHash: 'hash-1',
    language: 'lt',
    status: 'active',
    frozen: false,
    phase: 'dialogue',
    outcome: null,
    state: '{"phase":"dialogue"}',
    prompts: null,
    version: 1,
    createdAt: start,
    updatedAt: start,
    endedAt: null,
    ...over,
  };
}

export function aTurn(session: SessionRecord, over: Partial<NewTurn> = {}): NewTurn {
  return {
    id: freshId('turn'),
    owner: ownerOf(session),
    sessionId: session.id,
    expectedVersion: session.version,
    kind: 'dialogue',
    clientMessageId: null,
    exchange: { id: freshId('exchange'), role: 'student', content: 'Kodėl turėčiau tikėti?', phase: 'dialogue' },
    freeze: null,
    rates: [],
    alerts: [],
    now: start + 1_000,
    ...over,
  };
}

export function aChange(session: SessionRecord, over: Partial<SessionChange> = {}): SessionChange {
  return {
    sessionId: session.id,
    expectedVersion: session.version,
    status: 'active',
    phase: 'dialogue',
    outcome: null,
    state: '{"phase":"dialogue","exchanges":1}',
    updatedAt: start + 2_000,
    ...over,
  };
}

export function aSettlement(turn: NewTurn, over: Partial<TurnSettlement> = {}): TurnSettlement {
  return {
    turnId: turn.id,
    owner: turn.owner,
    status: 'done',
    reply: {
      id: freshId('exchange'),
      role: 'trickster',
      content: 'Visi jau pasidalino.',
      phase: 'dialogue',
      redacted: false,
    },
    change: null,
    settled: {
      text: 'Visi jau pasidalino.',
      tokenLengths: [5, 15],
      terminal: { name: 'done', data: '{"exchanges_count":1}' },
      retryable: false,
    },
    usage: { provider: 'recorded', model: 'test', inputTokens: 100, outputTokens: 10 },
    spends: [],
    jobs: [],
    trace: '{"layers":[]}',
    now: start + 2_000,
    ...over,
  };
}

/** A settlement of a turn that failed. */
export function aFailure(turn: NewTurn, retryable: boolean): TurnSettlement {
  const terminal = { name: 'error' as const, data: `{"code":"MODEL_TIMEOUT","retryable":${retryable}}` };
  return aSettlement(turn, {
    status: 'error',
    reply: null,
    settled: { text: '', tokenLengths: [], terminal, retryable },
  });
}

export function ownerOf(session: SessionRecord): Owner {
  return { schoolId: session.schoolId, userId: session.ownerId };
}

export async function keepSession(store: Store, over: Partial<SessionRecord> = {}): Promise<SessionRecord> {
  const session = aSession(anOwner(), over);
  await store.createSession(session);
  return session;
}

/** A session with one turn begun in it. */
export async function keepLiveTurn(
  store: Store,
  over: Partial<NewTurn> = {},
): Promise<{ session: SessionRecord; turn: NewTurn }> {
  const session = await keepSession(store);
  const turn = aTurn(session, over);
  const begun = await store.beginTurn(turn);
  if (begun.kind !== 'begun') throw new Error(`a first turn was ${begun.kind}`);
  return { session, turn };
}
