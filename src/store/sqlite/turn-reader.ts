import type { Database } from 'better-sqlite3';
import { errorTable } from '../../core/errors.ts';
import type { SettledTurn, TurnRecord } from '../../engine/ports/store.ts';
import { unpackLengths } from '../token-lengths.ts';
import type { Operations } from './operations.ts';

type TurnRow = Omit<TurnRecord, 'settled'> & {
  text: string | null;
  tokenLengths: Uint8Array | null;
  terminalName: SettledTurn['terminal']['name'] | null;
  terminalData: string | null;
  retryable: number | null;
};

const turnSelect = `SELECT id, session_id AS sessionId, kind, status, client_message_id AS clientMessageId,
    exchange_id AS exchangeId, started_at AS startedAt, settled_at AS settledAt, text, token_lengths AS tokenLengths,
    terminal_name AS terminalName, terminal_data AS terminalData, retryable
  FROM turns`;

export type TurnReader = Pick<Operations, 'turn' | 'turnById' | 'turnOfMessage' | 'latestTurn'>;

/** Reads an owner's turns. `turnOfMessage` looks past debriefs, which answer no message. */
export function turnReader(db: Database): TurnReader {
  const one = db.prepare<[string, string, string, string], TurnRow>(
    `${turnSelect} WHERE id = ? AND session_id = ? AND school_id = ? AND owner_id = ?`,
  );
  const byId = db.prepare<[string, string, string], TurnRow>(
    `${turnSelect} WHERE id = ? AND school_id = ? AND owner_id = ?`,
  );
  const latest = db.prepare<[string, string, string, string], TurnRow>(
    `${turnSelect} WHERE session_id = ? AND kind = ? AND school_id = ? AND owner_id = ? ORDER BY ordinal DESC LIMIT 1`,
  );
  const latestOfMessage = db.prepare<[string, string, string, string], TurnRow>(
    `${turnSelect} WHERE session_id = ? AND client_message_id = ? AND kind <> 'debrief' AND school_id = ? AND owner_id = ?
     ORDER BY ordinal DESC LIMIT 1`,
  );
  return {
    turn: ({ schoolId, userId }, sessionId, turnId) => readTurn(one.get(turnId, sessionId, schoolId, userId)),
    turnById: ({ schoolId, userId }, turnId) => readTurn(byId.get(turnId, schoolId, userId)),
    latestTurn: ({ schoolId, userId }, sessionId, kind) => readTurn(latest.get(sessionId, kind, schoolId, userId)),
    turnOfMessage: ({ schoolId, userId }, sessionId, clientMessageId) =>
      readTurn(latestOfMessage.get(sessionId, clientMessageId, schoolId, userId)),
  };
}

function readTurn(row: TurnRow | undefined): TurnRecord | null {
  if (!row) return null;
  const { text, tokenLengths, terminalName, terminalData, retryable, ...turn } = row;
  if (turn.status === 'interrupted') return { ...turn, settled: interrupted };
  if (text === null || tokenLengths === null || terminalName === null || terminalData === null) {
    return { ...turn, settled: null };
  }
  const terminal = { name: terminalName, data: terminalData };
  return {
    ...turn,
    settled: { text, tokenLengths: unpackLengths(tokenLengths), terminal, retryable: retryable === 1 },
  };
}

/** What is told of a turn that died with its process: nothing of its reply was kept, and it may be tried again. */
const interrupted: SettledTurn = {
  text: '',
  tokenLengths: [],
  terminal: {
    name: 'error',
    data: JSON.stringify({
      code: 'INTERRUPTED',
      message: `${errorTable.INTERRUPTED.title}. ${errorTable.INTERRUPTED.detail}`,
      retryable: true,
      partial_text: '',
    }),
  },
  retryable: true,
};
