import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CompanionCartridge } from '../cartridge/companion.ts';
import { isoTime } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { checkFacts, type FactClaim, type SourceTurn } from '../memory/fact-check.ts';
import { analyseText } from '../memory/search-text.ts';
import { plainSummary } from '../memory/plain-summary.ts';
import { faultOfSummary } from '../memory/summary-check.ts';
import { quoteAsData } from '../prompt/layer.ts';
import { type ModelTaskParts, readJsonReply, runModelTask, unusable } from './model-task.ts';
import type { CompanionStore, FactRecord, MemoryScope, MemoryTurn, RollingMemory } from './ports/companion-store.ts';
import type { Owner } from './ports/store.ts';

export type RollingParts = ModelTaskParts & { companions: CompanionStore };

export type RollingRequest = {
  owner: Owner;
  companion: CompanionCartridge;
  learnerId: string | null;
  language: string;
};

const claim = z.object({
  kind: z.string().max(40).catch('context'),
  text: z.string(),
  from: z.number().nullish().catch(null),
  supersedes: z.string().nullish().catch(null),
});
const update = z.object({ summary: z.string(), facts: z.array(claim).nullish().catch([]) });

/** Facts beyond this many are not given to the model again; they stay in the store. */
const factsRead = 60;
/** As long as a message may be. */
const turnCharacters = 8_000;
/** How far past its length a memory may grow whose summary cannot be written; then it is archived as it is. */
const overshoot = 2;

/** Keeps the rolling memories up to date: takes turns in, has their summary written, draws facts from them. */
export class RollingMemories {
  readonly #parts: RollingParts;

  constructor(parts: RollingParts) {
    this.#parts = parts;
  }

  /** Takes turns into a memory, each once by its id; the summary is as it was until `update` has run. */
  async take(request: RollingRequest, turns: readonly MemoryTurn[], signal: AbortSignal): Promise<RollingMemory> {
    const { companions, random, clock } = this.#parts;
    const { owner, companion, language } = request;
    const scope = scopeOf(request);
    const archiveAfter = companion.memory.rolling?.archive_after_turns ?? 50;
    const before = await companions.rollingMemory(owner, scope);
    const isBehind = before !== null && before.summarised < before.turns.length;
    const isFull = isBehind && before.turnCount + turns.length > archiveAfter;
    // What an earlier failure left out of the summary is not to be archived unread. Where it fails again, the turns are
    // kept all the same: the memory grows past its length until it can be summarised.
    const isUnread = isFull && !(await this.#updated(request, signal));
    return companions.rollIn(owner, scope, {
      newId: newId(random),
      turns: turns.map((turn) => ({ ...turn, ...analyseText(turn.content, language) })),
      archiveAfter: isUnread ? archiveAfter * overshoot : archiveAfter,
      archiveId: newId(random),
      now: clock.now(),
    });
  }

  async #updated(request: RollingRequest, signal: AbortSignal): Promise<boolean> {
    try {
      await this.update(request, signal);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Brings a memory's summary and facts up to date with its turns; `anew` starts afresh from all of them. A summary that
   * fails, is empty, too long or in another language leaves the old one in place: a retryable `AppError` is thrown.
   */
  async update(request: RollingRequest, signal: AbortSignal, anew = false): Promise<RollingMemory | null> {
    const { companions, clock } = this.#parts;
    const { owner, companion, language } = request;
    const scope = scopeOf(request);
    const memory = await companions.rollingMemory(owner, scope);
    if (memory === null) return null;
    const pending = anew ? memory.turns : memory.turns.slice(memory.summarised);
    if (pending.length === 0) return memory;
    const known = await companions.facts(owner, scope, false);
    const sources = pending.map((turn, index): SourceTurn => ({ number: index + 1, ...turn }));
    const isFresh = anew || memory.summary === '';
    const [least, most] = wordsOf(companion);
    const written = await runModelTask(
      this.#parts,
      {
        owner,
        companion,
        name: isFresh ? 'rolling-anew' : 'rolling',
        language,
        notes: [`The summary has ${least} to ${most} words, fewer where little was said.`],
        data: dataOf({ memory, known, turns: pending, isFresh }),
        brief: {
          said: pending.map(({ role, content }) => ({ role, content })),
          earlier: isFresh ? '' : memory.summary,
        },
      },
      signal,
    );
    const { summary, claims } = readUpdate(written);
    const fault = faultOfSummary(summary, { mostWords: most, language });
    if (fault !== null) throw unusable(`the summary is ${fault}`);
    // What another job has drawn from the same conversation meanwhile is known by now.
    const knownNow = await companions.facts(owner, scope, false);
    const facts = checkFacts(claims, { turns: sources, known: knownNow, language });
    await companions.keepFacts(
      owner,
      scope,
      facts.map(({ kind, text, source, supersedes }) => {
        const turn = pending.find(({ id }) => id === source.id);
        return {
          id: factId(memory.id, source.id, text),
          kind,
          text,
          sessionId: turn?.sessionId ?? null,
          exchangeId: source.id,
          learnedAt: turn?.saidAt ?? clock.now(),
          supersedes,
          ...analyseText(text, language),
        };
      }),
    );
    const kept = await companions.keepSummary(owner, scope, {
      expectedVersion: memory.version,
      summary,
      summarised: memory.turns.length,
      indexed: analyseText(summary, language),
      now: clock.now(),
    });
    if (kept === 'conflict') throw new AppError('CHANGED_MEANWHILE', 'the memory has moved on', { retryable: true });
    return companions.rollingMemory(owner, scope);
  }

  /** Puts a person's own words in the summary's place. False where there is no memory to change. */
  async rewrite(request: RollingRequest, summary: string): Promise<boolean> {
    const { companions, clock } = this.#parts;
    const scope = scopeOf(request);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const memory = await companions.rollingMemory(request.owner, scope);
      if (memory === null) return false;
      const { version: expectedVersion, summarised } = memory;
      const indexed = analyseText(summary, request.language);
      const change = { expectedVersion, summary, summarised, indexed, now: clock.now() };
      if ((await companions.keepSummary(request.owner, scope, change)) === 'kept') return true;
    }
    throw new AppError('INTERNAL', 'the memory kept moving on', { retryable: true });
  }
}

function scopeOf({ companion, learnerId }: RollingRequest): MemoryScope {
  return { cartridgeId: companion.id, learnerId };
}

function wordsOf({ memory }: CompanionCartridge): readonly [number, number] {
  const [least = 200, most = 400] = memory.rolling?.summary_words ?? [];
  return [least, most];
}

/** The model's answer: JSON as asked for, or, from one that writes plain text, the summary alone. */
function readUpdate(written: string): { summary: string; claims: FactClaim[] } {
  const parsed = update.safeParse(readJsonReply(written));
  if (!parsed.success) {
    const summary = plainSummary(written);
    if (summary === null) throw unusable('it is not the JSON that was asked for');
    return { summary, claims: [] };
  }
  const claims = (parsed.data.facts ?? []).map(({ from, supersedes, ...fact }) => ({
    ...fact,
    from: from ?? null,
    supersedes: supersedes ?? null,
  }));
  return { summary: parsed.data.summary.trim(), claims };
}

function dataOf({
  memory,
  known,
  turns,
  isFresh,
}: {
  memory: RollingMemory;
  known: readonly FactRecord[];
  turns: readonly MemoryTurn[];
  isFresh: boolean;
}): string {
  const facts = known.slice(-factsRead).map(({ id, text, learnedAt }) => `${id} (${dayOf(learnedAt)}): ${text}`);
  return [
    ...(isFresh ? [] : ['Earlier summary:', quoteAsData(memory.summary)]),
    ...(facts.length === 0 ? [] : ['Earlier facts, by id:', quoteAsData(facts.join('\n'))]),
    'Turns, oldest first:',
    numberedTurns(turns),
  ].join('\n');
}

/** Messages as a task reads them: each with its number, its day and who spoke, its words quoted. */
export function numberedTurns(turns: readonly Pick<MemoryTurn, 'role' | 'content' | 'saidAt'>[]): string {
  return turns
    .map(({ role, content, saidAt }, index) => {
      const who = role === 'user' ? 'the person' : 'the character';
      return `${index + 1}. ${dayOf(saidAt)}, ${who}:\n${quoteAsData(content.slice(0, turnCharacters).toWellFormed())}`;
    })
    .join('\n');
}

/** The same fact from the same message has the same id, so that work done twice leaves it once. */
export function factId(memory: string, source: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([memory, source, text]))
    .digest('base64url')
    .slice(0, 20);
}

function dayOf(time: number): string {
  return isoTime(time).slice(0, 10);
}
