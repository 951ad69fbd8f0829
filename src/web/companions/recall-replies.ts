import type { CompanionClient } from '../client/companion-client.ts';
import type { DoneEvent } from '../client/turn-event.ts';
import type { ConversationView } from '../protocol-types.ts';

const mostReplies = 40;

/**
 * How the replies of a conversation ended, the newest first: a reply's last event is kept with its turn, and tells
 * what was shown beside it. Looks on while `wants` says so, or while replies have more to them than their text.
 */
export async function* recallReplies(
  { id, exchanges, active_turn_id: live }: ConversationView,
  { client, signal, wants }: { client: CompanionClient; signal: AbortSignal; wants: () => boolean },
): AsyncGenerator<DoneEvent, void> {
  const turns = exchanges
    .filter(({ role, redacted, turn_id: turnId }) => role === 'assistant' && !redacted && turnId !== live)
    .map(({ turn_id: turnId }) => turnId)
    .toReversed()
    .slice(0, mostReplies);
  try {
    for (const turnId of turns) {
      let isMore = false;
      for await (const event of client.follow(id, turnId, { signal })) {
        if (event.type !== 'done') continue;
        isMore = event.structured !== undefined;
        yield event;
      }
      if (!isMore && !wants()) return;
    }
  } catch {
    // What stands beside a reply is missed; the conversation itself is there.
  }
}
