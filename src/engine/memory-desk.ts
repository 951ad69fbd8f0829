import type { CompanionCartridge } from '../cartridge/companion.ts';
import { isoTime } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { screenInput } from '../safety/input-screen.ts';
import { languageOf } from '../memory/summary-check.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { CompanionStore, FactRecord, RollingMemory } from './ports/companion-store.ts';
import type { MemorySearch } from './ports/memory-search.ts';
import type { Queue } from './ports/queue.ts';
import type { RollingMemories, RollingRequest } from './rolling-memories.ts';
import { searchMemories } from './search-memory.ts';
import type { TurnParts } from './turn-job.ts';

export type MemoryDeskParts = Pick<TurnParts, 'clock' | 'random' | 'logger' | 'safety'> & {
  companions: CompanionStore;
  search: MemorySearch;
  queue: Queue;
  rolling: RollingMemories;
};

type PostedTurn = { role: 'user' | 'assistant'; content: string };

/** How long whoever posts turns waits for the summary; it is written later where that is not enough. */
const summaryWaitMs = 25_000;
const shownFacts = 200;

/** Rolling memory as people read, search, write and clear it (seed 001). */
export class MemoryDesk {
  readonly #parts: MemoryDeskParts;

  constructor(parts: MemoryDeskParts) {
    this.#parts = parts;
  }

  /** What is remembered about a learner, or about none; null where nothing is. */
  async read(request: RollingRequest): Promise<object | null> {
    const { companions } = this.#parts;
    const scope = { cartridgeId: request.companion.id, learnerId: request.learnerId };
    const [memory, facts] = await Promise.all([
      companions.rollingMemory(request.owner, scope),
      companions.facts(request.owner, scope, true),
    ]);
    return memory && viewMemory(memory, facts, request.companion);
  }

  /**
   * Takes turns in and brings the summary up to date while the caller waits. Where no summary can be had, the turns are
   * kept all the same and the work is done later.
   */
  async write(
    asked: RollingRequest,
    { turns: posted, anew }: { turns: readonly PostedTurn[]; anew: boolean },
  ): Promise<object | null> {
    const { clock, random, rolling, logger } = this.#parts;
    const controller = new AbortController();
    using _timer = clock.after(summaryWaitMs, () =>
      controller.abort(new AppError('MODEL_TIMEOUT', 'the summary took too long', { retryable: true })),
    );
    const saidAt = clock.now();
    const request = await this.#inTheirLanguage(asked, posted);
    const turns = this.#withoutCrisis(posted, request.language);
    if (turns.length > 0)
      await rolling.take(
        request,
        turns.map((turn) => ({ ...turn, id: newId(random), saidAt, sessionId: null })),
        controller.signal,
      );
    try {
      await rolling.update(request, controller.signal, anew);
    } catch (error) {
      logger.warn('summary_delayed', { code: error instanceof AppError ? error.code : 'INTERNAL' });
      await this.#later(request, anew);
    }
    return this.read(request);
  }

  /** Puts a person's own words in the summary's place. */
  async rewrite(asked: RollingRequest, summary: string): Promise<Refusal | { kind: 'view'; view: object | null }> {
    const request = speaking(asked, languageOf(summary));
    const isThere = await this.#parts.rolling.rewrite(request, summary);
    return isThere ? { kind: 'view', view: await this.read(request) } : refuse('NOT_FOUND');
  }

  /** Archives what is remembered and forgets it; false where there was nothing. */
  clear({ owner, companion, learnerId }: RollingRequest): Promise<boolean> {
    const { companions, clock } = this.#parts;
    return companions.clearMemory(owner, { cartridgeId: companion.id, learnerId }, clock.now());
  }

  /** Searches all of a person's memories with a companion, or those about one learner. */
  async search(
    { owner, companion }: Pick<RollingRequest, 'owner' | 'companion'>,
    asked: { text: string; learnerId?: string | null; includeArchive: boolean; limit: number; offset: number },
  ): Promise<{ count: number; results: object[]; corrected: readonly object[] }> {
    const { search, companions } = this.#parts;
    const found = await searchMemories(search, owner, { ...asked, cartridgeId: companion.id });
    if (found.kind === 'nothing_asked') return { count: 0, results: [], corrected: [] };
    const memories = await companions.rollingMemories(owner, companion.id);
    const turnsOf = new Map(memories.map(({ learnerId, turnCount }) => [learnerId, turnCount]));
    const results = found.hits.map(({ kind, text, snippet, at, learnerId, isArchived }) => ({
      kind,
      summary: text,
      snippet: snippet.text,
      matches: snippet.matches,
      turn_count: turnsOf.get(learnerId) ?? 0,
      date: isoTime(at),
      learner_id: learnerId,
      learner_context: learnerId === null ? 'General' : 'Learner-specific',
      archived: isArchived,
    }));
    return { count: found.total, results, corrected: found.corrected };
  }

  /** What shows signs of crisis goes into no memory, and neither does what was answered to it. */
  #withoutCrisis(turns: readonly PostedTurn[], language: string): PostedTurn[] {
    let isAnswer = false;
    return turns.filter(({ role, content }) => {
      if (role === 'user')
        isAnswer = screenInput(this.#parts.safety, content, { language, safeWords: [] }).crisis.length > 0;
      return !isAnswer;
    });
  }

  /** In the language of what was just said, or else of what was said before. */
  async #inTheirLanguage(request: RollingRequest, turns: readonly { content: string }[]): Promise<RollingRequest> {
    const scope = { cartridgeId: request.companion.id, learnerId: request.learnerId };
    const memory = await this.#parts.companions.rollingMemory(request.owner, scope);
    const earlier = [...(memory?.turns ?? []).map(({ content }) => content), memory?.summary ?? ''];
    const textOf = (texts: readonly string[]) => languageOf(texts.join('\n'));
    return speaking(request, textOf(turns.map(({ content }) => content)) ?? textOf(earlier));
  }

  async #later({ owner, companion, learnerId, language }: RollingRequest, anew: boolean): Promise<void> {
    const { queue, clock } = this.#parts;
    await queue.enqueue({
      key: `rolling_catch_up:${owner.schoolId}:${owner.userId}:${companion.id}:${learnerId ?? ''}${anew ? ':anew' : ''}`,
      kind: 'rolling_catch_up',
      payload: { cartridge_id: companion.id, learner_id: learnerId, language, anew },
      schoolId: owner.schoolId,
      ownerId: owner.userId,
      runAt: clock.now(),
    });
  }
}

/** A request in a language, where the companion speaks it. */
function speaking(request: RollingRequest, language: string | null): RollingRequest {
  const { language: own, available_languages: others } = request.companion;
  return language !== null && [own, ...others].includes(language) ? { ...request, language } : request;
}

function viewMemory(
  memory: RollingMemory,
  facts: readonly FactRecord[],
  { memory: policy }: CompanionCartridge,
): object {
  const recent = policy.rolling?.recent_turns ?? 10;
  const isBehind = memory.summarised < memory.turns.length;
  return {
    id: memory.id,
    learner_id: memory.learnerId,
    summary: memory.summary,
    turn_count: memory.turnCount,
    recent_turns: memory.turns
      .slice(-recent)
      .map(({ role, content, saidAt }) => ({ role, content, at: isoTime(saidAt) })),
    facts: facts.slice(-shownFacts).map(({ id, kind, text, learnedAt, supersededAt }) => ({
      id,
      kind,
      text,
      learned_at: isoTime(learnedAt),
      superseded_at: supersededAt === null ? null : isoTime(supersededAt),
    })),
    status: memory.failure !== null ? 'failed' : isBehind ? 'pending' : 'current',
    created_at: isoTime(memory.createdAt),
    updated_at: isoTime(memory.updatedAt),
  };
}
