import { joinLayers, type Layer, type LayerTrace, traceLayers } from './layer.ts';
import { type HistoryMessage, trimHistory } from './trim.ts';

export type PromptTool = { name: string; description: string; parameters: Readonly<Record<string, unknown>> };

/** A call as assembled, with what the trace tells of how it came about. Token counts are estimates. */
export type AssembledCall = {
  system: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
  tools: PromptTool[];
  trace: {
    layers: LayerTrace[];
    system_tokens: number;
    message_tokens: number;
    messages_sent: number;
    trimmed_exchanges: string[];
    tools: string[];
  };
};

export type AssembleParts = {
  layers: readonly Layer[];
  tools: PromptTool[];
  /** The session's messages, oldest first, the present one last. */
  history: readonly HistoryMessage[];
  /** The session's random mark: see `joinLayers`. */
  mark: string;
  /** For system prompt, tools and messages together; infinite where nothing may be left out. */
  budgetTokens: number;
  tokensOf: (text: string) => number;
};

/** Puts a call together: layers into the system prompt, and as much of the history as the budget then leaves. */
export function assembleCall({ layers, tools, history, mark, budgetTokens, tokensOf }: AssembleParts): AssembledCall {
  const system = joinLayers(layers, mark);
  const systemTokens = tokensOf(system) + (tools.length > 0 ? tokensOf(JSON.stringify(tools)) : 0);
  const trimmed = trimHistory(history, budgetTokens - systemTokens, tokensOf);
  return {
    system,
    messages: trimmed.messages.map(({ role, content }) => ({ role, content })),
    tools,
    trace: {
      layers: traceLayers(layers, tokensOf),
      system_tokens: systemTokens,
      message_tokens: trimmed.tokens,
      messages_sent: trimmed.messages.length,
      trimmed_exchanges: trimmed.trimmedIds,
      tools: tools.map((tool) => tool.name),
    },
  };
}
