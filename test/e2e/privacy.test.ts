import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, createCaller } from '../fixtures/caller.ts';
import { earlyInAMinute } from '../fixtures/early-in-a-minute.ts';
import { chatRequest, type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { type Planted, plantPerson } from '../fixtures/planted-person.ts';
import { secret } from '../fixtures/running-server.ts';
import { replies, says } from '../fixtures/scripted-upstream.ts';
import type { Owner } from '../../src/engine/ports/store.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite-store.ts';

type Receipt = { receipt_id: string; erased_at: string; rows: Record<string, number>; total: number };

/** What every planted word begins with, and no other byte of the database. */
const beginning = 'qxwkzqj';
const jonasBeginning = 'vbwyyxu';

let house: ModelServer;
let ona: Caller;
let onaOwner: Owner;

beforeEach(async () => {
  house = await startModelServer({ settings: { turnLogKeepMs: 30 } });
  ona = await house.server.join(`Onutė ${beginning}vardas`);
  onaOwner = await ownerOf(ona);
});
afterEach(() => house[Symbol.asyncDispose]());

const databaseFile = () => join(house.server.folder, 'data', 'trickster.db');

async function ownerOf(caller: Caller): Promise<Owner> {
  const { body } = await caller.json<{ user_id: string; school_id: string }>('GET', '/api/me');
  return { schoolId: body.school_id, userId: body.user_id };
}

/** The server's own store, beside it. */
async function inStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ file: databaseFile() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function plant(owner: Owner, mark: string): Promise<Planted> {
  const other = (role: string) => ({ schoolId: owner.schoolId, userId: `${role}-${mark.slice(0, 2)}` });
  return inStore((store) =>
    plantPerson(store, owner, { beginning: mark, facilitator: other('facilitator'), guardian: other('guardian') }),
  );
}

/** The bytes of the database file, its WAL and the WAL's index. */
function bytes(): string {
  const files = ['', '-wal', '-shm'].map((suffix) => databaseFile() + suffix).filter((file) => existsSync(file));
  expect(files.length).toBeGreaterThan(0);
  return files.map((file) => readFileSync(file).toString('latin1')).join('\n');
}

/** Somebody that an identity provider names, at a time. */
async function someone(role: string, { schoolId, userId }: Owner, issuedAt = new Date()): Promise<Caller> {
  const token = await new SignJWT({ role, school_id: schoolId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(new Date(Date.now() + 3_600_000_000))
    .sign(new TextEncoder().encode(secret));
  return createCaller(() => house.server.url, token);
}

const reply = (text: string) => house.upstream.respondWith(says(...text.split(/(?<= )/u)));

async function talkInLesson(caller: Caller, mark: string): Promise<{ sessionId: string; turnId: string }> {
  const { session_id: sessionId } = await caller.talk();
  reply(`So you say ${mark}lessonreply today.`);
  const turn = await caller.say(sessionId, `I think ${mark}lessonwords, and I want to die`, `${mark}messageid`);
  expect(turn.last.event).toBe('done');
  return { sessionId, turnId: turn.turnId };
}

describe('an erasure', () => {
  it('leaves no byte of a person in the database, its WAL nor their indexes, and everything of everyone else', async () => {
    const jonas = await house.server.join('Jonas');
    const jonasOwner = await ownerOf(jonas);
    await talkInLesson(ona, beginning);
    await talkInLesson(jonas, jonasBeginning);
    await plant(onaOwner, beginning);
    await plant(jonasOwner, jonasBeginning);
    const before = await inStore((store) => store.privacy.exportPerson(jonasOwner));
    expect(bytes()).toContain(beginning);

    const response = await ona.request('DELETE', '/api/me');
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toMatch(/^trickster=;.*Max-Age=0/u);
    const receipt = (await response.json()) as Receipt;
    // While the server still runs, too.
    const held = bytes();
    expect(held.includes(beginning)).toBe(false);
    expect(held.includes(onaOwner.userId)).toBe(false);
    expect(held).toContain(jonasBeginning);

    expect(receipt.receipt_id).not.toBe('');
    expect(receipt.total).toBe(Object.values(receipt.rows).reduce((sum, count) => sum + count, 0));
    expect(receipt.rows).toMatchObject({
      users: 1,
      class_members: 1,
      sessions: 3,
      exchanges: 6,
      turns: 3,
      traces: 3,
      conversations: 2,
      session_parts: 2,
      rolling_memories: 2,
      memory_archives: 2,
      memory_turns: 4,
      facts: 6,
      parent_notes: 1,
      guardians: 1,
      consents: 1,
      learners: 1,
      memory_items: 1,
      workflows: 1,
      profiles: 1,
      objectives: 1,
    });
    for (const table of ['search_documents', 'jobs', 'alerts']) expect(receipt.rows[table], table).toBeGreaterThan(1);
    expect(await inStore((store) => store.privacy.exportPerson(jonasOwner))).toEqual(before);

    await house.server.restart();
    expect((await ona.request('GET', '/api/me')).status).toBe(401);
    await house.server.running.close();
    const closed = bytes();
    for (const trace of [beginning, beginning.slice(1), onaOwner.userId])
      expect(closed.includes(trace), trace).toBe(false);
    await house.server.restart();
    const kept = await jonas.json<{ exchanges: { content: string }[] }>('GET', '/api/me/export');
    expect(JSON.stringify(kept.body)).toContain(`${jonasBeginning}lessonwords`);
  }, 30_000);

  it('ends the turn that is being made, forgets its log, and its words are nowhere after', async () => {
    const { session_id: id } = await ona.talk();
    house.upstream.respondWith(replies([{ text: [`${beginning}first `, 'and '] }, { hang: true }]));
    const following = await ona.request('POST', `/api/sessions/${id}/respond`, { message: `${beginning}asked` });
    const receipt = (await ona.json<Receipt>('DELETE', '/api/me')).body;
    await following.text();
    expect(receipt.rows).toMatchObject({ turns: 1, users: 1 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bytes().includes(beginning)).toBe(false);
  });

  it('makes tokens of the person nobody’s, at once and after a restart, and one issued later a new beginning', async () => {
    const owner = { schoolId: onaOwner.schoolId, userId: 'provided' };
    const now = Date.now();
    const earlier = await someone('student', owner, new Date(now - 60_000));
    await earlier.talk();
    expect((await earlier.request('DELETE', '/api/me')).status).toBe(200);
    for (const path of ['/api/me', '/api/me/export', '/api/cartridges'])
      expect((await earlier.request('GET', path)).status, path).toBe(401);
    expect((await earlier.request('DELETE', '/api/me')).status).toBe(401);
    expect((await (await someone('student', owner)).request('GET', '/api/me')).status).toBe(401);
    await house.server.restart();
    expect((await earlier.request('GET', '/api/me')).status).toBe(401);
    const anew = await someone('student', owner, new Date(now + 200_000));
    expect((await anew.json<{ sessions: unknown[] }>('GET', '/api/me/export')).body.sessions ?? []).toEqual([]);
    expect((await ona.request('GET', '/api/me')).status).toBe(200);
  });

  it('of a teacher leaves the class to the school, under no name, and its students go on', async () => {
    const teacher = await house.server.teacher();
    const { sessionId } = await talkInLesson(ona, beginning);
    expect((await teacher.request('DELETE', '/api/me')).status).toBe(200);
    expect((await teacher.request('GET', '/api/classes')).status).toBe(401);
    expect((await ona.view(sessionId)).session_id).toBe(sessionId);
    expect(await house.server.join('Late')).toBeDefined();
    // The link that the server prints when it starts is for whoever takes the class over.
    await house.server.restart();
    const heir = await house.server.teacher();
    const { body } = await heir.json<{ items: unknown[] }>('GET', '/api/classes');
    expect(body.items).toHaveLength(1);
    expect((await heir.json<{ display_name: string | null }>('GET', '/api/me')).body.display_name).toBeNull();
  });
});

describe('an export', () => {
  it('holds everything that was planted, and nothing of anyone else', async () => {
    const jonas = await house.server.join('Jonas');
    await talkInLesson(ona, beginning);
    await talkInLesson(jonas, jonasBeginning);
    const { exported, words } = await plant(onaOwner, beginning);
    expect(words.length).toBeGreaterThan(40);
    const response = await ona.request('GET', '/api/me/export');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    const lesson = [
      `${beginning}lessonwords`,
      `${beginning}lessonreply`,
      `${beginning}vardas`,
      `${beginning}messageid`,
    ];
    expect([...exported, ...lesson].filter((word) => !text.includes(word))).toEqual([]);
    expect(text).not.toContain(jonasBeginning);
    const hidden = words.filter((word) => !exported.includes(word) && word !== `${beginning}partindex`);
    expect(hidden.filter((word) => text.includes(word))).toEqual([]);
  });

  it('never tells what a withdrawn reply said', async () => {
    const { session_id: id } = await ona.talk();
    reply(`Well, ${beginning}withdrawn, you should kill yourself now.`);
    expect((await ona.say(id, 'And then?')).last.event).toBe('redact');
    const { body } = await ona.json<{ turns: { status: string; text: string | null }[] }>('GET', '/api/me/export');
    expect(body.turns).toMatchObject([{ status: 'redacted', text: null }]);
    expect(JSON.stringify(body)).not.toContain(`${beginning}withdrawn`);
    expect(JSON.stringify(body)).not.toContain('kill yourself');
  });

  it('is not for whoever asks without end', async () => {
    await earlyInAMinute();
    const statuses = [];
    for (let asked = 0; asked < 8; asked += 1) statuses.push((await ona.request('GET', '/api/me/export')).status);
    expect(statuses.slice(0, 6)).toEqual(Array(6).fill(200));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the words of lessons', () => {
  it('are gone a day after, while what came of them stays and is still told', async () => {
    const { sessionId, turnId } = await talkInLesson(ona, beginning);
    const { session_id: other } = await ona.talk();
    reply('Fine.');
    await ona.say(other, 'Something else');
    const seen = await ona.view(sessionId);
    const later = Date.now() + 25 * 3_600_000;
    const expire = (now: number) => inStore((store) => store.privacy.expireLessonTexts(now - 24 * 3_600_000, 100));
    expect(await expire(Date.now() + 23 * 3_600_000)).toBe(0);
    expect(await expire(later)).toBe(6);
    expect(await expire(later)).toBe(0);
    const after = await ona.view(sessionId);
    expect({ ...after, exchanges: [] }).toEqual({ ...seen, exchanges: [] });
    expect(after.exchanges.map(({ content }) => content)).toEqual(['', '']);
    const turn = await ona.follow(`/api/sessions/${sessionId}/turns/${turnId}/events`);
    expect(turn).toMatchObject({ status: 200, text: '', last: { event: 'done' } });
    // The same message again is the same turn, and no model is asked.
    const asked = house.upstream.requests.length;
    const again = await ona.say(sessionId, 'anything', `${beginning}messageid`);
    expect(again).toMatchObject({ turnId, text: '', last: { event: 'done' } });
    expect(house.upstream.requests).toHaveLength(asked);
    // A lesson goes on from there, and its model is told of no empty words.
    reply('Go on.');
    expect((await ona.say(other, 'What now?')).last.event).toBe('done');
    const told = chatRequest(house.upstream.requests.at(-1)).messages.filter(({ role }) => role !== 'system');
    expect(told).toHaveLength(1);
    expect(told[0]?.content).toContain('What now?');
    await inStore(async (store) => expect(await store.privacy.compact('rewrite')).toBe(true));
    for (const word of ['lessonwords', 'lessonreply']) expect(bytes().includes(beginning + word), word).toBe(false);
  });
});
