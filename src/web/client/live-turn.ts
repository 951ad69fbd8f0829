import { Inbox } from './live-inbox.ts';
import type { LiveLine } from './live-line.ts';
import type { LiveEvent, LiveTurnAnswer } from './live-message.ts';
import { readTurnEvent, type TurnEvent } from './turn-event.ts';
import type { AskedTurn } from './transport.ts';
import type { TurnPlace } from './turn-stream.ts';

/** What one WebSocket brings of a turn that was not seen before; ends or throws when the socket does. */
export async function* readLiveTurn(
  line: LiveLine,
  asked: AskedTurn,
  place: TurnPlace,
): AsyncGenerator<TurnEvent, void> {
  const { sessionId, message, signal, onConnection } = asked;
  const connection = await line.connection(signal);
  const inbox = new Inbox<LiveTurnAnswer | LiveEvent>();
  const leave = () => connection.leave(inbox);
  signal?.addEventListener('abort', leave);
  try {
    if (place.turnId !== null) {
      const { turnId, seq } = place;
      connection.read(inbox, { type: 'follow', turn_id: turnId, session_id: sessionId, after: seq });
    } else if (message) {
      const { text, clientMessageId } = message;
      const begin = { type: 'respond', session_id: sessionId, message: text } as const;
      connection.read(inbox, { ...begin, client_message_id: clientMessageId });
    }
    for await (const come of inbox) {
      signal?.throwIfAborted();
      if (come.type === 'turn') {
        place.turnId = come.turn_id;
        place.isOver = come.ended;
        onConnection?.({ kind: 'open', turn_id: come.turn_id });
        if (come.ended) return;
        continue;
      }
      // Another reader of the turn may have had it begin earlier, and a withdrawal is numbered from where that began.
      if (come.name === 'token' && come.seq <= place.seq) continue;
      place.seq = Math.max(place.seq, come.seq);
      const event = readTurnEvent(come.name, { turn_id: come.turn_id, seq: come.seq }, come.data);
      if (event) yield event;
    }
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', leave);
    connection.leave(inbox);
  }
}
