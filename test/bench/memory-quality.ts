import type { MemorySearch } from '../../src/engine/ports/memory-search.ts';
import { searchMemories } from '../../src/engine/search-memory.ts';
import { analyseText } from '../../src/memory/search-text.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import {
  type MemoryConversation,
  type MemoryQuestion,
  readMemoryQuestions,
} from '../fixtures/memory-questions/memory-questions.ts';
import { type Ranked, scoresBy, scoresOf } from './memory-scores.ts';
import { openTemporaryStore, owner } from './memory-store.ts';

type Answered = Ranked & { question: MemoryQuestion };

/** Enough of the documents found to name ten conversations. */
const documentsRead = 100;

/**
 * How well conversations are found again, over the labelled set: the whole of each conversation in the store, searched
 * as the search box does, beside what is lost without parts of it. A conversation ranks where its first document does.
 */
export async function measureSearchQuality() {
  const { conversations, questions } = await readMemoryQuestions();
  await using whole = await openTemporaryStore();
  await using summaries = await openTemporaryStore();
  for (const conversation of inOrder(conversations)) {
    await remember(whole.store, conversation, 'everything');
    await remember(summaries.store, conversation, 'summary');
  }
  const { search } = whole.store;
  const house = await answerAll(search, questions);
  const without = {
    summaries_only: await answerAll(summaries.store.search, questions),
    no_typo_correction: await answerAll(withoutCorrection(search), questions),
    exact_words_only: await answerAll(withoutStems(withoutCorrection(search)), questions),
  };
  const kindOf = ({ question }: Answered) => question.kind;
  const languageOf = ({ question }: Answered) => question.language;
  return {
    conversations: conversations.length,
    house: {
      ...scoresOf(house),
      by_kind: scoresBy(house, kindOf),
      by_language: scoresBy(house, languageOf),
      by_place: scoresBy(house, ({ question }) => question.only_in ?? 'summary'),
    },
    baselines: Object.fromEntries(
      Object.entries(without).map(([name, answered]) => [
        name,
        {
          ...scoresOf(answered),
          by_kind: scoresBy(answered, kindOf),
          by_language: scoresBy(answered, languageOf),
          by_place: scoresBy(answered, ({ question }) => question.only_in ?? 'summary'),
        },
      ]),
    ),
    /** The house's questions whose conversation is not among the first ten. */
    missed: house
      .filter(({ found, relevant }) => !relevant.some((id) => found.slice(0, 10).includes(id)))
      .map(({ question }) => question.id),
  };
}

function inOrder(conversations: readonly MemoryConversation[]): MemoryConversation[] {
  return conversations.toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1));
}

/**
 * Keeps a conversation in the rolling memory of its learner, turns, summary and facts, and archives that, so that the
 * next one's summary does not take its place. `summary`: the summary alone.
 */
async function remember(
  { companions }: SqliteStore,
  conversation: MemoryConversation,
  what: 'everything' | 'summary',
): Promise<void> {
  const { id, cartridge: cartridgeId, learner: learnerId, language } = conversation;
  const scope = { cartridgeId, learnerId };
  const now = Date.parse(conversation.started_at);
  const isWhole = what === 'everything';
  const memory = await companions.rollIn(owner, scope, {
    newId: id,
    turns: (isWhole ? conversation.turns : []).map((turn, index) => ({
      ...turn,
      saidAt: now + index * 30_000,
      sessionId: null,
      ...analyseText(turn.content, language),
    })),
    archiveAfter: Number.MAX_SAFE_INTEGER,
    archiveId: `archive-${id}`,
    now,
  });
  if (isWhole)
    await companions.keepFacts(
      owner,
      scope,
      conversation.facts.map(({ id: factId, text, from }) => ({
        id: factId,
        kind: 'context',
        text,
        sessionId: null,
        exchangeId: from,
        learnedAt: now,
        supersedes: null,
        ...analyseText(text, language),
      })),
    );
  await companions.keepSummary(owner, scope, {
    expectedVersion: memory.version,
    summary: conversation.summary,
    summarised: memory.turns.length,
    indexed: analyseText(conversation.summary, language),
    now,
  });
  await companions.clearMemory(owner, scope, now);
}

async function answerAll(search: MemorySearch, questions: readonly MemoryQuestion[]): Promise<Answered[]> {
  const conversationOf = await conversationsByDocument();
  const answered = [];
  for (const question of questions) {
    const answer = await searchMemories(search, owner, {
      text: question.query,
      ...(question.learner === undefined ? {} : { learnerId: question.learner }),
      includeArchive: true,
      limit: documentsRead,
      offset: 0,
    });
    const hits = answer.kind === 'found' ? answer.hits : [];
    const found = [...new Set(hits.map(({ id }) => conversationOf.get(id) ?? id))];
    answered.push({ question, found, relevant: question.relevant });
  }
  return answered;
}

/** Which conversation each document is of, by the ids that the store gives documents. */
async function conversationsByDocument(): Promise<Map<string, string>> {
  const { conversations } = await readMemoryQuestions();
  return new Map(
    conversations.flatMap(({ id, turns, facts }) => [
      [`summary:${id}:0`, id] as const,
      ...turns.map((turn) => [`turn:${turn.id}`, id] as const),
      ...facts.map((fact) => [`fact:${fact.id}`, id] as const),
    ]),
  );
}

function withoutCorrection(search: MemorySearch): MemorySearch {
  return {
    searchMemory: (whose, request) => search.searchMemory(whose, request),
    similarWords: () => Promise.resolve([]),
  };
}

/** Each word has to occur as it was typed, but for its marks. */
function withoutStems(search: MemorySearch): MemorySearch {
  return {
    ...search,
    searchMemory: (whose, { query, ...request }) =>
      search.searchMemory(whose, {
        ...request,
        query: { ...query, must: query.must.map(({ word }) => ({ word, stems: [] })) },
      }),
  };
}
