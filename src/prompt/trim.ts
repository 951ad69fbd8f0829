/** A message of the history, with the exchange it came from. */
export type HistoryMessage = { readonly id: string; readonly role: 'user' | 'assistant'; readonly content: string };

export type Trimmed = {
  messages: readonly HistoryMessage[] /** Exchanges left out, oldest first. */;
  trimmedIds: string[];
  tokens: number;
};

/**
 * The history that fits into `budgetTokens`: the oldest user message and the replies to it go first, together, until
 * the rest fits. The last user message is never left out, whatever it costs.
 */
export function trimHistory(
  history: readonly HistoryMessage[],
  budgetTokens: number,
  tokensOf: (text: string) => number,
): Trimmed {
  const costs = history.map((message) => tokensOf(message.content));
  let tokens = costs.reduce((sum, cost) => sum + cost, 0);
  let start = 0;
  const last = history.findLastIndex((message) => message.role === 'user');
  while (tokens > budgetTokens && start < last) {
    do {
      tokens -= costs[start] ?? 0;
      start += 1;
    } while (start < last && history[start]?.role === 'assistant');
  }
  return { messages: history.slice(start), trimmedIds: history.slice(0, start).map((message) => message.id), tokens };
}
