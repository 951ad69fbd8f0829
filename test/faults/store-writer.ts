import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { aChange, aSession, aSettlement, aTurn, ownerOf } from '../contract/store-fixtures.ts';

/**
 * A process to be killed: writes turns in several sessions at once, for ever, and says on its standard output what the
 * store has acknowledged, a line each. `node store-writer.ts <database file> <name of this run>`
 */

const sessionsAtOnce = 4;
const [file = '', run = ''] = process.argv.slice(2);

function acknowledge(fact: object): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

const store = await openSqliteStore({ file });

async function writeTurns(number: number): Promise<never> {
  const owner = { schoolId: `school-${run}`, userId: `student-${number}` };
  let session = aSession(owner, { id: `session-${run}-${number}` });
  await store.createSession(session);
  acknowledge({ kind: 'created', sessionId: session.id });
  for (let count = 1; ; count += 1) {
    const name = `${run}-${number}-${count}`;
    const clientMessageId = `message-${name}`;
    const content = `klausimas ${name} ${'ą'.repeat(count * 37)}`;
    const exchange = { id: `asked-${name}`, role: 'student' as const, content, phase: 'dialogue' };
    const turn = aTurn(session, { id: `turn-${name}`, clientMessageId, exchange });
    await store.beginTurn(turn);
    acknowledge({ kind: 'begun', turnId: turn.id, sessionId: session.id, content });
    const answer = `atsakymas ${name}`;
    const reply = {
      id: `told-${name}`,
      role: 'trickster' as const,
      content: answer,
      phase: 'dialogue',
      redacted: false,
    };
    const settlement = aSettlement(turn, { owner: ownerOf(session), reply, change: aChange(session) });
    await store.settleTurn(settlement);
    session = { ...session, version: session.version + 1 };
    acknowledge({ kind: 'settled', turnId: turn.id, sessionId: session.id, content: answer, version: session.version });
  }
}

await Promise.all(Array.from({ length: sessionsAtOnce }, (_, number) => writeTurns(number)));
