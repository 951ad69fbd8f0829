import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aChange, aSession, aSettlement, aTurn, freshId, ownerOf, start } from '../../test/contract/store-fixtures.ts';
import { SimulatedClock } from '../core/clock.ts';
import { silentLogger } from '../core/logger.ts';
import { seededRandom } from '../core/random.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { Privacy } from './privacy.ts';

const hour = 3_600_000;

async function openHouse(lessonTextHours = 24) {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-privacy-'));
  const store = await openSqliteStore({ file: join(folder, 'trickster.db') });
  const clock = new SimulatedClock(start);
  const done: string[] = [];
  const note = (what: string) => (about: string) => void done.push(`${what} ${about}`);
  const privacy = new Privacy({
    privacy: store.privacy,
    runner: { stop: async (turnId) => note('stop')(turnId) },
    log: { forget: async (turnId) => note('log')(turnId) },
    feed: { forget: note('feed') },
    recordings: { forget: async () => 0 },
    ways: [{ forget: ({ userId }) => note('tokens')(userId) }],
    clock,
    random: seededRandom(1),
    settings: { erasureSettleMs: 150_000, lessonTextHours },
    logger: silentLogger,
  });
  onTestFinished(async () => {
    privacy[Symbol.dispose]();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { store, clock, privacy, done };
}

async function aLesson({ store }: Awaited<ReturnType<typeof openHouse>>, over: Parameters<typeof aSession>[1] = {}) {
  const session = aSession({ schoolId: 'school', userId: freshId('user') }, { classId: 'c', ...over });
  await store.createSession(session);
  const turn = aTurn(session);
  await store.beginTurn(turn);
  await store.settleTurn(aSettlement(turn, { change: aChange(session, { status: 'completed' }) }));
  return { session, turn, owner: ownerOf(session) };
}

const textsOf = async ({ store }: Awaited<ReturnType<typeof openHouse>>, lesson: Awaited<ReturnType<typeof aLesson>>) =>
  (await store.loadSession(lesson.owner, lesson.session.id))?.exchanges.map(({ content }) => content !== '');

describe('an erasure', () => {
  it('shares the writing anew of the file with those that come meanwhile, and needs none where nothing was left', async () => {
    const house = await openHouse();
    const lessons = await Promise.all(Array.from({ length: 8 }, () => aLesson(house)));
    let rewritings = 0;
    const compact = house.store.privacy.compact.bind(house.store.privacy);
    house.store.privacy.compact = (how) => {
      rewritings += how === 'rewrite' ? 1 : 0;
      return compact(how);
    };
    const receipts = await Promise.all(lessons.map(({ owner }) => house.privacy.erase(owner)));
    expect(receipts.map(({ total }) => total)).toEqual(lessons.map(() => 6));
    expect(rewritings).toBeGreaterThan(0);
    expect(rewritings).toBeLessThan(4);
    const before = rewritings;
    house.clock.advance(150_000);
    await expect.poll(() => house.done.filter((what) => what.startsWith('tokens')).length).toBe(16);
    await house.store.privacy.openErasures(Number.MAX_SAFE_INTEGER, 10);
    expect(rewritings).toBe(before);
  });

  it('first makes tokens nobody’s and ends live turns, then erases, then forgets what is in memory', async () => {
    const house = await openHouse();
    const { owner, turn } = await aLesson(house);
    const receipt = await house.privacy.erase(owner);
    expect(house.done).toEqual([`tokens ${owner.userId}`, `stop ${turn.id}`, `log ${turn.id}`, 'feed c']);
    expect(receipt).toMatchObject({ rows: { sessions: 1, exchanges: 2, turns: 1, traces: 1, users: 1 }, total: 6 });
    expect(receipt.erased_at).toBe(new Date(start).toISOString());
  });

  it('reaches what was still under way when it was made, once that must have ended', async () => {
    const house = await openHouse();
    const { owner } = await aLesson(house);
    await house.privacy.erase(owner);
    const scope = { cartridgeId: 'mentor', learnerId: null };
    const late = {
      id: 'late',
      kind: 'k',
      text: 'late',
      sessionId: null,
      exchangeId: null,
      learnedAt: 1,
      supersedes: null,
    };
    await house.store.companions.keepFacts(owner, scope, [{ ...late, words: 'late', stems: 'lat' }]);
    house.clock.advance(150_000);
    await expect.poll(() => house.store.companions.facts(owner, scope, true)).toEqual([]);
    // Whoever came anew is refused no longer for it.
    expect(await house.store.privacy.erasedAt(owner)).toBe(start);
  });

  it('that its process did not live to end is ended by the next', async () => {
    const house = await openHouse();
    const lesson = await aLesson(house);
    await house.store.privacy.beginErasure(lesson.owner, start);
    await house.store.privacy.erasePerson(lesson.owner, { limit: 1, heirId: 'heir' });
    expect(await house.privacy.finishErasures()).toBe(false);
    expect(await house.store.loadSession(lesson.owner, lesson.session.id)).not.toBeNull();
    house.clock.advance(60_000);
    expect(await house.privacy.finishErasures()).toBe(false);
    expect(await house.store.loadSession(lesson.owner, lesson.session.id)).toBeNull();
    expect(await house.store.privacy.openErasures(house.clock.now(), 10)).toEqual([]);
  });
});

describe('the words of lessons', () => {
  it('go 24 hours after their lesson ended or was left, and not before', async () => {
    const house = await openHouse();
    const ended = await aLesson(house);
    const left = await aLesson(house, { kind: 'lesson' });
    house.clock.advance(24 * hour);
    await house.privacy.expireLessonTexts();
    expect(await textsOf(house, ended)).toEqual([true, true]);
    house.clock.advance(hour);
    await house.privacy.expireLessonTexts();
    expect([await textsOf(house, ended), await textsOf(house, left)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('stay while their lesson goes on, and what was said later stays for its own day', async () => {
    const house = await openHouse();
    const session = aSession({ schoolId: 'school', userId: freshId('user') });
    await house.store.createSession(session);
    const first = aTurn(session);
    await house.store.beginTurn(first);
    await house.store.settleTurn(aSettlement(first));
    const lesson = { session, turn: first, owner: ownerOf(session) };
    const second = aTurn(session, { now: start + 20 * hour });
    await house.store.beginTurn(second);
    await house.store.settleTurn(aSettlement(second, { now: start + 20 * hour, status: 'error', reply: null }));
    house.clock.advance(30 * hour);
    await house.privacy.expireLessonTexts();
    expect(await textsOf(house, lesson)).toEqual([true, true, true]);
    house.clock.advance(15 * hour);
    await house.privacy.expireLessonTexts();
    expect(await textsOf(house, lesson)).toEqual([false, false, false]);
  });

  it('of a reply that broke off go from its error too; a withdrawn reply’s fallback is its author’s', async () => {
    const house = await openHouse();
    const broken = await aLesson(house);
    const data = JSON.stringify({ code: 'INTERNAL', partial_text: 'Half a word' });
    const session = aSession(broken.owner);
    await house.store.createSession(session);
    const turn = aTurn(session);
    await house.store.beginTurn(turn);
    const settled = {
      text: 'Half a word',
      tokenLengths: [11],
      terminal: { name: 'error' as const, data },
      retryable: true,
    };
    await house.store.settleTurn(aSettlement(turn, { status: 'error', reply: null, settled }));
    const again = aTurn(session);
    await house.store.beginTurn(again);
    const fallback = {
      id: freshId('exchange'),
      role: 'trickster' as const,
      content: 'Let us stop.',
      phase: 'dialogue',
      redacted: true,
    };
    const redact = { text: '', tokenLengths: [], terminal: { name: 'redact' as const, data: '{}' }, retryable: false };
    await house.store.settleTurn(aSettlement(again, { status: 'redacted', reply: fallback, settled: redact }));
    house.clock.advance(25 * hour);
    await house.privacy.expireLessonTexts();
    const kept = await house.store.turn(broken.owner, session.id, turn.id);
    expect(kept?.settled?.text).toBe('');
    expect(JSON.parse(kept?.settled?.terminal.data ?? '')).toEqual({ code: 'INTERNAL', partial_text: '' });
    const loaded = await house.store.loadSession(broken.owner, session.id);
    expect(loaded?.exchanges.map(({ content }) => content)).toEqual(['', '', 'Let us stop.']);
  });

  it('stay for ever where the school says so, and those of companions always', async () => {
    const forever = await openHouse(0);
    const lesson = await aLesson(forever);
    forever.clock.advance(1_000 * hour);
    expect(await forever.privacy.expireLessonTexts()).toBe(false);
    expect(await textsOf(forever, lesson)).toEqual([true, true]);
    const house = await openHouse();
    const session = aSession({ schoolId: 'school', userId: freshId('user') }, { kind: 'companion' });
    await house.store.createSession(session);
    const turn = aTurn(session, {
      kind: 'conversation',
      exchange: { id: freshId('e'), role: 'user', content: 'Labas', phase: '' },
    });
    await house.store.beginTurn(turn);
    await house.store.settleTurn(
      aSettlement(turn, {
        reply: { id: freshId('e'), role: 'assistant', content: 'Sveika', phase: '', redacted: false },
      }),
    );
    house.clock.advance(1_000 * hour);
    await house.privacy.expireLessonTexts();
    expect(await textsOf(house, { session, turn, owner: ownerOf(session) })).toEqual([true, true]);
    expect((await house.store.turn(ownerOf(session), session.id, turn.id))?.settled?.text).toBe('Visi jau pasidalino.');
  });
});
