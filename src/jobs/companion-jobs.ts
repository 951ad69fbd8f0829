import type { CartridgeVersions } from '../engine/cartridge-versions.ts';
import { AppError } from '../core/errors.ts';
import type { Clock } from '../core/clock.ts';
import { objectivesJob } from '../engine/objectives-job.ts';
import { makeObjectives, type ObjectiveParts } from '../engine/objective-maker.ts';
import type { CompanionStore, ConversationRecord, MemoryTurn } from '../engine/ports/companion-store.ts';
import type { CartridgeLibrary } from '../engine/ports/library.ts';
import type { LeasedJob, NewJob, Queue } from '../engine/ports/queue.ts';
import type { LoadedSession, Owner, Store } from '../engine/ports/store.ts';
import type { RollingMemories } from '../engine/rolling-memories.ts';
import type { EndedConversation, SessionMemories, SessionPartName } from '../engine/session-memories.ts';
import type { JobHandler, JobOutcome } from './job-handler.ts';

export type CompanionJobParts = ObjectiveParts & {
  store: Store;
  queue: Queue;
  clock: Clock;
  cartridges: CartridgeLibrary;
  versions: CartridgeVersions;
  companions: CompanionStore;
  rolling: RollingMemories;
  sessions: SessionMemories;
  /** Attempts after which a job has failed for good. */
  jobAttempts: number;
};

/** How long a job waits whose conversation still has a reply being made. */
const liveTurnMs = 2_000;
/** How often a prep sheet is made again at once where the profile changes while it is made. */
const objectiveRounds = 3;

type Opened = { owner: Owner; loaded: LoadedSession; conversation: ConversationRecord } & Pick<
  EndedConversation,
  'companion' | 'turns'
>;

/** The work behind companions' memory, by kind of job. */
export function companionHandlers(parts: CompanionJobParts): Readonly<Record<string, JobHandler>> {
  return {
    remember: (job) => remember(parts, job),
    remember_part: (job, signal) => rememberPart(parts, job, signal),
    rolling: (job, signal) => roll(parts, job, signal),
    rolling_catch_up: (job, signal) => catchUp(parts, job, signal),
    objectives: (job, signal) => prepare(parts, job, signal),
  };
}

/** A conversation has ended: one job for each part of what is remembered of it, so that none depends on another. */
async function remember(parts: CompanionJobParts, job: LeasedJob): Promise<JobOutcome> {
  const opened = await open(parts, job);
  if (opened === null) return 'done';
  if (opened.loaded.liveTurnId !== null) return { kind: 'retry', code: 'TURN_IN_PROGRESS', afterMs: liveTurnMs };
  const { owner, companion, conversation } = opened;
  const { queue, sessions, clock } = parts;
  const { schoolId, userId: ownerId } = owner;
  const runAt = clock.now();
  const base = { schoolId, ownerId, runAt };
  const jobs: NewJob[] = sessions.partsOf(companion).map((part) => ({
    ...base,
    key: `remember:${conversation.id}:${part}`,
    kind: 'remember_part',
    payload: { session_id: conversation.id, part },
  }));
  if (companion.memory.rolling?.update === 'session')
    jobs.push({
      ...base,
      key: `rolling:${conversation.id}`,
      kind: 'rolling',
      payload: { session_id: conversation.id },
    });
  else jobs.push(...objectivesAfter(parts, opened));
  await Promise.all(jobs.map((each) => queue.enqueue(each)));
  return 'done';
}

/** The job of the next prep sheet, where the companion comes prepared and something was said. */
function objectivesAfter({ clock, settings }: CompanionJobParts, { owner, companion, turns }: Opened): NewJob[] {
  if (!companion.session.on_end.includes('objectives') || turns.length === 0) return [];
  const runAt = clock.now() + settings.objectivesDelayMs;
  return [objectivesJob({ ...owner, cartridgeId: companion.id, reason: 'session', runAt })];
}

async function rememberPart(parts: CompanionJobParts, job: LeasedJob, signal: AbortSignal): Promise<JobOutcome> {
  const opened = await open(parts, job);
  if (opened === null) return 'done';
  const { owner, loaded, conversation, companion, turns } = opened;
  const part = job.payload['part'];
  const known = parts.sessions.partsOf(companion).find((each) => each === part);
  if (known === undefined) return 'done';
  const ended: EndedConversation = { owner, companion, conversation, ownerName: loaded.ownerName, turns };
  return trying(parts, job, {
    attempt: () => parts.sessions.make(ended, known, signal),
    giveUp: () => parts.sessions.giveUp(owner, conversation.id, known satisfies SessionPartName),
  });
}

/** What was said in one conversation goes into the rolling memory, and its summary takes it in. */
async function roll(parts: CompanionJobParts, job: LeasedJob, signal: AbortSignal): Promise<JobOutcome> {
  const opened = await open(parts, job);
  if (opened === null) return 'done';
  const { owner, companion, conversation, turns } = opened;
  const { learnerId, language } = conversation;
  const request = { owner, companion, learnerId, language };
  // Only now, for the prep sheet is made from what is remembered; and also where that could not be brought up to date.
  const prepareNext = () => Promise.all(objectivesAfter(parts, opened).map((each) => parts.queue.enqueue(each)));
  return trying(parts, job, {
    attempt: async () => {
      await parts.rolling.take(request, turns, signal);
      await parts.rolling.update(request, signal);
      await prepareNext();
    },
    giveUp: async (code) => {
      await parts.companions.markRolling(owner, { cartridgeId: companion.id, learnerId }, code);
      await prepareNext();
    },
  });
}

/** A memory whose summary could not be written when it was asked for. */
async function catchUp(parts: CompanionJobParts, job: LeasedJob, signal: AbortSignal): Promise<JobOutcome> {
  const owner = ownerOf(job);
  const companion = parts.cartridges.companion(textOf(job, 'cartridge_id'))?.cartridge;
  if (!owner || !companion) return 'done';
  const learnerId = textOf(job, 'learner_id') || null;
  const request = { owner, companion, learnerId, language: textOf(job, 'language') || companion.language };
  return trying(parts, job, {
    attempt: async () => void (await parts.rolling.update(request, signal, job.payload['anew'] === true)),
    giveUp: (code) => parts.companions.markRolling(owner, { cartridgeId: companion.id, learnerId }, code),
  });
}

async function prepare(parts: CompanionJobParts, job: LeasedJob, signal: AbortSignal): Promise<JobOutcome> {
  const companion = parts.cartridges.companion(textOf(job, 'cartridge_id'))?.cartridge;
  const { schoolId } = job;
  if (!companion || schoolId === null) return 'done';
  const owner = { schoolId, userId: textOf(job, 'user_id') };
  const request = { owner, companion, reason: textOf(job, 'reason') };
  // While this runs, nobody can ask for it again: what changes meanwhile is looked at here.
  for (let round = 0; round < objectiveRounds; round += 1) {
    const before = (await parts.prepared.profile(owner.schoolId, owner.userId))?.version;
    await makeObjectives(parts, request, signal);
    if ((await parts.prepared.profile(owner.schoolId, owner.userId))?.version === before) break;
  }
  return 'done';
}

/** Does the work; where this was the last attempt, says so where people look before the job fails. */
async function trying(
  { jobAttempts }: CompanionJobParts,
  job: LeasedJob,
  { attempt, giveUp }: { attempt: () => Promise<void>; giveUp: (code: string) => Promise<void> },
): Promise<JobOutcome> {
  try {
    await attempt();
    return 'done';
  } catch (error) {
    const isLast = job.attempt >= jobAttempts || (error instanceof AppError && !error.retryable);
    if (isLast) await giveUp(error instanceof AppError ? error.code : 'INTERNAL');
    throw error;
  }
}

/** The job's conversation and what of it may be remembered; null where it is gone. */
async function open({ store, companions, versions }: CompanionJobParts, job: LeasedJob): Promise<Opened | null> {
  const owner = ownerOf(job);
  const sessionId = textOf(job, 'session_id');
  if (!owner) return null;
  const [loaded, conversation, alerted] = await Promise.all([
    store.loadSession(owner, sessionId),
    companions.conversation(owner, sessionId),
    companions.alertedTurns(owner, sessionId),
  ]);
  if (!loaded || !conversation) return null;
  const companion = await versions.companion(conversation.cartridgeId, loaded.session.cartridgeHash);
  return { owner, loaded, conversation, companion, turns: turnsOf(loaded, new Set(alerted)) };
}

/** What was said, without turns whose reply was withdrawn and without what showed signs of crisis, which is for people alone. */
function turnsOf({ exchanges, session, liveTurnId }: LoadedSession, alerted: ReadonlySet<string>): MemoryTurn[] {
  const withdrawn = new Set(exchanges.flatMap(({ turnId, redacted }) => (redacted ? [turnId] : [])));
  return exchanges
    .filter(({ turnId }) => !withdrawn.has(turnId) && !alerted.has(turnId) && turnId !== liveTurnId)
    .map(({ id, role, content, createdAt }) => ({
      id,
      role: role === 'user' ? ('user' as const) : ('assistant' as const),
      content,
      saidAt: createdAt,
      sessionId: session.id,
    }));
}

function ownerOf({ schoolId, ownerId }: LeasedJob): Owner | null {
  return schoolId === null || ownerId === null ? null : { schoolId, userId: ownerId };
}

function textOf({ payload }: LeasedJob, name: string): string {
  const value = payload[name];
  return typeof value === 'string' ? value : '';
}
