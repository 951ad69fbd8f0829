import { isCompanion } from '../cartridge/cartridge-text.ts';
import { companionValue } from '../cartridge/companion-fixture.ts';
import { parseCartridge } from '../cartridge/parse.ts';
import type { CompanionContext } from './companion-context.ts';
import { companionLayers } from './companion-layers.ts';
import type { Layer } from './layer.ts';

export const thirds = (text: string) => Math.ceil(text.length / 3);
export const day = '2026-03-02';

function cartridgeOf(changes: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify(companionValue({ memory: { rolling: {}, sessions: {}, typed: {} }, ...changes }));
  const parsed = parseCartridge({ file: 'guide/cartridge.json', text, folder: 'guide' });
  if (parsed.kind === 'rejected' || !isCompanion(parsed.cartridge)) throw new Error(JSON.stringify(parsed.findings));
  return parsed.cartridge;
}

type Changes = Partial<CompanionContext> & { format?: Readonly<Record<string, unknown>> };

/** What layers are made from: a companion whose `context` is given, and nothing that was said but for `changes`. */
export function contextOf(context: readonly unknown[], { format, ...changes }: Changes = {}): CompanionContext {
  return {
    cartridge: cartridgeOf({ context, ...(format ? { reply_format: format } : {}) }),
    language: 'lt',
    prompts: [
      { layer: 'persona', source: 'persona.md', hash: 'a', text: 'Be kind.\n' },
      { layer: 'persona_mode', source: 'persona.chat_participant.md', hash: 'b', text: 'Write in a chat.' },
      null,
      { layer: 'safety', source: 'safety.md', hash: 'c', text: 'Keep them safe.' },
      null,
    ],
    day,
    learnerName: null,
    rolling: null,
    sessions: null,
    narrative: null,
    entryContext: null,
    objectives: null,
    conversation: { topics: [], tone: 'calm', messages: 1 },
    widgets: [],
    typed: null,
    workflow: null,
    tools: [],
    redactedBoundary: null,
    ...changes,
  };
}

/** Everything that people can have said, said in `words`. */
export function saying(words: string): Changes {
  const facts = [{ kind: 'context', text: words, day }];
  const item = { id: 'i', type: 'context' as const, key: words, text: words, at: Date.parse(day) };
  const analysis = { context_score: 1, completeness_score: 1, confidence_score: 1, suggested_actions: ['Go on.'] };
  const view = { current_depth: 1, completed_stages: 1, analysis_complete: false };
  return {
    learnerName: words,
    rolling: { summary: words, turnCount: 4, day, facts },
    sessions: { summaries: [{ day, text: words }], facts, topics: [words, words] },
    narrative: words,
    entryContext: words,
    objectives: { priorityQuestions: [words], checkOn: [words], updatesToShare: [words], day },
    conversation: { topics: [words], tone: 'worried', messages: 3 },
    widgets: (['pending', 'confirmed'] as const).map((status) => ({
      kind: 'choice',
      title: words,
      status,
      value: words,
    })),
    typed: { memories: [{ item, relevanceScore: 0.9 }], analysis },
    workflow: { view: { ...view, original_problem: words, recent_insights: [words] }, level: null },
  };
}

export const tools = [{ name: 'show_widget', description: 'Shows something.', parameters: {} }];
/** Layers that hold what people said. */
export const quoting = [
  'learner',
  'rolling_memory',
  'conversation_summary',
  'session_memory',
  'profile_narrative',
  'entry_context',
  'objectives',
  'conversation_state',
  'typed_memories',
  'workflow',
] as const;

export const layersIn = (context: CompanionContext) => companionLayers(context, thirds);

export function layerIn(context: CompanionContext, name: string): Layer {
  const found = layersIn(context).find((layer) => layer.name === name);
  if (!found) throw new Error(`there is no layer ${name}`);
  return found;
}

export function textIn(context: CompanionContext, name: string): string {
  const { text } = layerIn(context, name);
  if (text === null) throw new Error(`the layer ${name} is absent`);
  return text;
}
