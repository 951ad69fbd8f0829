import { assembleCall, type AssembledCall, type PromptTool } from './assemble.ts';
import type { CompanionContext } from './companion-context.ts';
import { companionLayers } from './companion-layers.ts';
import type { Layer } from './layer.ts';
import type { HistoryMessage } from './trim.ts';

export type CompanionCallInput = {
  context: CompanionContext;
  /** The conversation's messages, oldest first, the present one last. */
  history: readonly HistoryMessage[];
  mark: string;
  budgetTokens: number;
  tokensOf: (text: string) => number;
  extraLayers: readonly Layer[];
};

/** Puts a companion's call together: its layers in its order, the last messages as the budget allows, its tools. */
export function assembleCompanionCall(input: CompanionCallInput): AssembledCall {
  const { context, history, mark, budgetTokens, tokensOf, extraLayers } = input;
  const recent = context.cartridge.memory.typed?.recent_messages;
  // The present message comes on top of the earlier ones that the cartridge lets the model read.
  const read = recent === undefined ? history : history.slice(-recent - 1);
  const tools: PromptTool[] = [...context.tools];
  const layers = [...companionLayers(context, tokensOf), ...extraLayers];
  return assembleCall({ layers, tools, history: read, mark, budgetTokens, tokensOf });
}
