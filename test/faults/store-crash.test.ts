import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { Store } from '../../src/engine/ports/store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { aChange, aSettlement, aTurn, start } from '../contract/store-fixtures.ts';

type Fact =
  | { kind: 'created'; sessionId: string }
  | { kind: 'begun'; sessionId: string; turnId: string; content: string }
  | { kind: 'settled'; sessionId: string; turnId: string; content: string; version: number };

const crashes = 12;
const writer = fileURLToPath(new URL('./store-writer.ts', import.meta.url));

/** Runs the writer until it has acknowledged `count` things, kills it there and then, and gives all it acknowledged. */
async function crashAfter(count: number, file: string, run: string): Promise<Fact[]> {
  const child = spawn(process.execPath, [writer, file, run], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let lines: string[] = [];
  try {
    let said = '';
    child.stdout.setEncoding('utf8');
    // What it got out before it died is read too; a line that it died in the middle of says nothing.
    for await (const piece of child.stdout) {
      said += String(piece);
      lines = said.split('\n').slice(0, -1);
      if (lines.length >= count) child.kill('SIGKILL');
    }
  } finally {
    child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return lines.map((line) => JSON.parse(line) as Fact);
}

type TurnRow = {
  id: string;
  sessionId: string;
  status: string;
  replies: number;
  asked: number;
  traces: number;
  isWhole: number;
};

/** What a database must be true of whatever moment its process died at. */
function checkWhole(file: string): void {
  const db = new Database(file);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    const turns = db
      .prepare<[], TurnRow>(
        `SELECT id, session_id AS sessionId, status,
           (SELECT count(*) FROM exchanges WHERE id = turns.exchange_id AND role = 'student') AS asked,
           (SELECT count(*) FROM exchanges WHERE turn_id = turns.id AND role = 'trickster') AS replies,
           (SELECT count(*) FROM traces WHERE turn_id = turns.id) AS traces,
           settled_at IS NOT NULL AND text IS NOT NULL AND terminal_data IS NOT NULL AS isWhole
         FROM turns`,
      )
      .all();
    for (const { id, status, asked, replies, traces, isWhole } of turns) {
      const settled = status === 'done' ? 1 : 0;
      expect({ id, asked, replies, traces, isWhole }).toEqual({
        id,
        asked: 1,
        replies: settled,
        traces: settled,
        isWhole: settled,
      });
    }
    const sessions = db.prepare<[], { id: string; version: number }>('SELECT id, version FROM sessions').all();
    for (const { id, version } of sessions) {
      const settled = turns.filter((turn) => turn.sessionId === id && turn.status === 'done');
      expect(version, id).toBe(1 + settled.length);
      expect(turns.filter((turn) => turn.sessionId === id && turn.status === 'streaming').length, id).toBeLessThan(2);
    }
  } finally {
    db.close();
  }
}

function ownerIn(sessionId: string) {
  const [, run, number] = sessionId.split('-');
  return { schoolId: `school-${run}`, userId: `student-${number}` };
}

/** Everything acknowledged is there, to the letter. */
async function checkKept(store: Store, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    const owner = ownerIn(fact.sessionId);
    const loaded = await store.loadSession(owner, fact.sessionId);
    expect(loaded, fact.sessionId).not.toBeNull();
    if (fact.kind === 'created') continue;
    expect(
      loaded?.exchanges.map(({ content }) => content),
      fact.turnId,
    ).toContain(fact.content);
    if (fact.kind === 'begun') continue;
    expect((await store.turn(owner, fact.sessionId, fact.turnId))?.status, fact.turnId).toBe('done');
    expect(await store.trace(owner.schoolId, fact.sessionId, fact.turnId)).toBe('{"layers":[]}');
    expect(loaded?.session.version).toBeGreaterThanOrEqual(fact.version);
  }
}

describe('a process killed while it writes turns', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-crash-'));
  const file = join(folder, 'trickster.db');
  const random = seededRandom(20_261);
  const acknowledged: Fact[] = [];
  let interrupted = 0;

  beforeAll(async () => {
    // One database lives through all of it, so that each start meets what the last crash left.
    const store = await openSqliteStore({ file });
    await store.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Array.from({ length: crashes }, (_, index) => index))(
    'loses nothing it acknowledged: crash %i',
    async (index) => {
      const facts = await crashAfter(1 + Math.floor(random.fraction() * 250), file, String(index));
      acknowledged.push(...facts);
      checkWhole(file);
      const store = await openSqliteStore({ file });
      try {
        interrupted += await store.interruptLiveTurns(start);
        await checkKept(store, facts);
        const sessionIds = facts.flatMap((fact) => (fact.kind === 'created' ? [fact.sessionId] : []));
        for (const sessionId of sessionIds) await checkGoesOn(store, sessionId);
      } finally {
        await store.close();
      }
    },
  );

  it('has after all the crashes still everything that was acknowledged before any of them', async () => {
    const store = await openSqliteStore({ file });
    try {
      await checkKept(store, acknowledged);
      expect(await store.interruptLiveTurns(start)).toBe(0);
    } finally {
      await store.close();
    }
    // The kills did land in the middle of things.
    expect(interrupted).toBeGreaterThan(0);
    expect(acknowledged.some((fact) => fact.kind === 'settled')).toBe(true);
  });
});

/** A session that a crash left goes on: an interrupted message is tried again for the same words, which stand once. */
async function checkGoesOn(store: Store, sessionId: string): Promise<void> {
  const owner = ownerIn(sessionId);
  const loaded = await store.loadSession(owner, sessionId);
  if (!loaded) throw new Error(`${sessionId} is gone`);
  expect(loaded.liveTurnId).toBeNull();
  const latest = await store.latestTurn(owner, sessionId, 'dialogue');
  if (latest?.status !== 'interrupted') return;
  const { session, exchanges } = loaded;
  const retry = aTurn(session, { id: `${latest.id}-again`, clientMessageId: latest.clientMessageId });
  expect(await store.beginTurn(retry)).toEqual({ kind: 'begun', exchangeId: latest.exchangeId });
  const settlement = aSettlement(retry, { change: aChange(session) });
  expect(await store.settleTurn(settlement)).toBe('settled');
  const ids = (await store.loadSession(owner, sessionId))?.exchanges.map(({ id }) => id);
  expect(ids).toEqual([...exchanges.map(({ id }) => id), settlement.reply?.id]);
}
