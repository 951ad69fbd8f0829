import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Migration, migrate, migrations } from './migrate.ts';
import { createOperations } from './operations.ts';

/**
 * What a database of each version holds, as that version's program wrote it, and what the newest program must find in
 * it. Written once, when the version is made, and never changed after: entry 0 is the empty database.
 */
const histories: readonly { fill(db: Database.Database): void; check(db: Database.Database): void }[] = [
  { fill: () => undefined, check: () => undefined },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO schools VALUES ('s', 'Gimnazija', 1);
        INSERT INTO users VALUES ('s', 'teacher', 'teacher', 'Ona', 1), ('s', 'student', 'student', NULL, 2);
        INSERT INTO classes (id, school_id, teacher_id, title, join_code, cartridge_ids, is_first, created_at)
          VALUES ('c', 's', 'teacher', '9b', 'ABC234', '["click-trap-1"]', 1, 3);
        INSERT INTO class_members VALUES ('c', 's', 'student', 4);
        INSERT INTO cartridge_versions VALUES ('hash', 'click-trap-1', '{}', 5);
        INSERT INTO prompt_texts VALUES ('prompt', 'Tu esi Suktukas.');
        INSERT INTO sessions (id, school_id, owner_id, owner_role, class_id, kind, cartridge_id, cartridge_hash, language,
            status, frozen, phase, outcome, state, prompts, version, created_at, updated_at, ended_at)
          VALUES ('session', 's', 'student', 'student', 'c', 'lesson', 'click-trap-1', 'hash', 'lt',
            'completed', 0, 'reveal', 'partial', '{}', '[{"layer":"persona","source":"p.md","hash":"prompt"}]', 3, 6, 9, 9);
        INSERT INTO exchanges (id, school_id, owner_id, session_id, turn_id, role, phase, redacted, created_at, content)
          VALUES ('asked', 's', 'student', 'session', 'turn', 'student', 'dialogue', 0, 7, 'Kodėl?'),
                 ('told', 's', 'student', 'session', 'turn', 'trickster', 'dialogue', 1, 8, 'Todėl.');
        INSERT INTO turns (id, school_id, owner_id, session_id, kind, status, client_message_id, exchange_id, started_at,
            settled_at, terminal_name, terminal_data, retryable, provider, model, input_tokens, output_tokens, token_lengths, text)
          VALUES ('turn', 's', 'student', 'session', 'dialogue', 'done', 'm', 'asked', 7,
            8, 'done', '{}', 0, 'openai', 'small', 10, 2, x'03800101', 'Todėl.');
        INSERT INTO traces VALUES ('turn', 's', 'student', 'session', '{"layers":[]}');
        INSERT INTO rate_windows VALUES ('key', 0, 60000, 1);
      `),
    check(db) {
      const operations = createOperations(db);
      const owner = { schoolId: 's', userId: 'student' };
      expect(operations.loadSession(owner, 'session')).toMatchObject({
        session: { phase: 'reveal', version: 3, endedAt: 9, prompts: [{ layer: 'persona', hash: 'prompt' }] },
        exchanges: [
          { id: 'asked', content: 'Kodėl?', redacted: false },
          { id: 'told', content: 'Todėl.', redacted: true },
        ],
        liveTurnId: null,
      });
      expect(operations.turn(owner, 'session', 'turn')).toMatchObject({
        status: 'done',
        clientMessageId: 'm',
        settled: {
          text: 'Todėl.',
          tokenLengths: [3, 128, 1],
          terminal: { name: 'done', data: '{}' },
          retryable: false,
        },
      });
      expect(operations.trace('s', 'session', 'turn')).toBe('{"layers":[]}');
      expect(operations.recentOutcomes(owner, 'other', 3)).toEqual(['partial']);
      expect(operations.cartridge('hash')).toMatchObject({ cartridgeId: 'click-trap-1', keptAt: 5 });
      expect(operations.promptTexts(['prompt'])).toEqual([{ hash: 'prompt', text: 'Tu esi Suktukas.' }]);
      expect(operations.classOf({ schoolId: 's', userId: 'teacher' }, 'c')).toMatchObject({
        cartridgeIds: ['click-trap-1'],
      });
      const use = { key: 'key', limit: 1, windowMs: 60_000, now: 30_000 };
      expect(operations.countUse(use)).toEqual({ kind: 'limited', retryAfterSeconds: 30 });
    },
  },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO schools VALUES ('s', 'Gimnazija', 1);
        INSERT INTO users VALUES ('s', 'teacher', 'teacher', 'Ona', 1), ('s', 'student', 'student', 'Jonas', 2);
        INSERT INTO classes (id, school_id, teacher_id, title, join_code, cartridge_ids, is_first, created_at)
          VALUES ('c', 's', 'teacher', '9b', 'ABC234', NULL, 1, 3);
        INSERT INTO sessions (id, school_id, owner_id, owner_role, class_id, kind, cartridge_id, cartridge_hash, language,
            status, frozen, phase, outcome, state, prompts, version, created_at, updated_at, ended_at)
          VALUES ('session', 's', 'student', 'student', 'c', 'lesson', 'click-trap-1', 'hash', 'lt',
            'active', 1, 'talk', NULL, '{}', NULL, 1, 6, 9, NULL);
        INSERT INTO alerts (id, school_id, owner_id, class_id, session_id, turn_id, kind, severity, created_at)
          VALUES ('alert', 's', 'student', 'c', 'session', 'turn', 'self_harm', 3, 10);
      `),
    check(db) {
      const operations = createOperations(db);
      const teacher = { schoolId: 's', userId: 'teacher' };
      expect(operations.classSessions(teacher, 'c', 0)).toMatchObject([
        { sessionId: 'session', ownerName: 'Jonas', frozen: true },
      ]);
      expect(operations.classAlerts(teacher, 'c', 0)).toMatchObject([{ id: 'alert', kind: 'self_harm', severity: 3 }]);
    },
  },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO jobs (key, kind, school_id, owner_id, payload, status, due_at, attempts, max_attempts, remember_ms,
            generation, error_code)
          VALUES ('sum:1', 'sum', 's', 'student', '{"session":"1"}', 'waiting', 100, 1, 5, 0, 1, 'MODEL_TIMEOUT'),
                 ('sum:2', 'sum', 's', 'student', '{}', 'running', 200, 1, 5, 0, 1, NULL),
                 ('sum:3', 'sum', 's', 'student', '{}', 'failed', 90, 5, 5, 0, 5, 'MODEL_UNAVAILABLE'),
                 ('daily:tidy:2026-09-01', 'tidy', NULL, NULL, '{}', 'done', 900, 1, 5, 800, 1, NULL);
      `),
    check(db) {
      const operations = createOperations(db);
      expect(operations.jobCounts()).toEqual({ waiting: 1, running: 1, failed: 1 });
      expect(operations.failedJobs(9)).toEqual([
        {
          key: 'sum:3',
          kind: 'sum',
          schoolId: 's',
          ownerId: 'student',
          code: 'MODEL_UNAVAILABLE',
          attempts: 5,
          failedAt: 90,
        },
      ]);
      const daily = { key: 'daily:tidy:2026-09-01', kind: 'tidy', payload: {}, schoolId: null, ownerId: null };
      expect(operations.enqueue({ ...daily, runAt: 100 })).toBe('known');
      expect(operations.complete({ id: '2', generation: 1 }, 150)).toBe(true);
      expect(operations.lease({ kinds: ['sum'], now: 150, leaseMs: 50 })).toEqual({
        kind: 'leased',
        job: {
          key: 'sum:1',
          kind: 'sum',
          schoolId: 's',
          ownerId: 'student',
          payload: { session: '1' },
          attempt: 2,
          lease: { id: '1', generation: 2 },
        },
      });
    },
  },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO search_documents (ordinal, school_id, owner_id, id, cartridge_id, learner_id, kind, is_archived, at,
            text, words, stems)
          VALUES (1, 's', 'student', 'summary:1', 'mentor', 'emma', 'summary', 0, 10, 'Ema moka.', 'ema moka', 'em mok');
      `),
    check(db) {
      const row = db.prepare('SELECT id, learner_id AS learnerId, text FROM search_documents WHERE ordinal = 1').get();
      expect(row).toEqual({ id: 'summary:1', learnerId: 'emma', text: 'Ema moka.' });
    },
  },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO facts (ordinal, id, school_id, owner_id, cartridge_id, learner_id, kind, text, session_id,
            exchange_id, learned_at, superseded_at, superseded_by, cleared_at)
          VALUES (1, 'f1', 's', 'student', 'mentor', '', 'goal', 'Nori laikyti fiziką.', 'session', NULL, 10, 20, 'f2', NULL),
                 (2, 'f2', 's', 'student', 'mentor', '', 'goal', 'Nori laikyti chemiją.', 'session', NULL, 20, NULL, NULL, NULL);
        INSERT INTO consents VALUES ('s', 'student', 'parent_notes', 1, 'guardian', 5);
      `),
    check(db) {
      const operations = createOperations(db);
      const owner = { schoolId: 's', userId: 'student' };
      const scope = { cartridgeId: 'mentor', learnerId: null };
      expect(operations.facts(owner, scope, false)).toMatchObject([{ id: 'f2', text: 'Nori laikyti chemiją.' }]);
      expect(operations.facts(owner, scope, true)).toHaveLength(2);
      expect(operations.consents('s', 'student')).toMatchObject([{ kind: 'parent_notes', changedAt: 5 }]);
    },
  },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO memory_items (ordinal, id, school_id, owner_id, project_id, type, key, value, text, stems, created_at,
            expires_at)
          VALUES (1, 'i1', 's', 'student', 'shop', 'error', 'e1', '"Redis nutrūko"', 'Redis nutrūko', 'redis nutruk', 10, 900),
                 (2, 'i2', 's', 'student', 'shop', 'solution', 's1', '"Paleisti iš naujo"', 'Paleisti iš naujo', 'paleis nauj', 20, 900);
        INSERT INTO memory_item_terms VALUES (8159712188155163, 1864122526922611, 1, 1500);
        INSERT INTO workflows VALUES ('s', 'student', 'shop', '{"depth":1}', 30, 900);
        INSERT INTO profiles VALUES ('s', 'student', '{"school_year":"11"}', NULL, 3, 40, 'teacher');
        INSERT INTO objectives VALUES ('s', 'student', 'counselor', '{"check_on":[]}', 'daily', 50);
      `),
    check(db) {
      const operations = createOperations(db);
      const owner = { schoolId: 's', userId: 'student' };
      const search = { projectId: 'shop', stems: ['redis'], now: 100, limit: 1 };
      expect(operations.itemCandidates(owner, search)).toEqual([
        {
          id: 'i1',
          projectId: 'shop',
          type: 'error',
          key: 'e1',
          value: '"Redis nutrūko"',
          text: 'Redis nutrūko',
          createdAt: 10,
          expiresAt: 900,
        },
      ]);
      expect(operations.items(owner, { projectId: 'shop', now: 100, offset: 0, limit: 9 }).total).toBe(2);
      expect(operations.workflow(owner, 'shop', 100)).toEqual({ state: '{"depth":1}', updatedAt: 30, expiresAt: 900 });
      expect(operations.profile('s', 'student')).toEqual({
        profile: '{"school_year":"11"}',
        version: 3,
        updatedAt: 40,
        updatedBy: 'teacher',
      });
      expect(operations.objectives('s', 'student', 'counselor')).toMatchObject({ reason: 'daily', generatedAt: 50 });
    },
  },
  {
    fill: (db) =>
      db.exec(`
        INSERT INTO erased_people VALUES ('6d43b6ccd7dcff3a5d5ae9e3b7e4f7e0c9a9a0a7b6b1f4d5e0b4f2f6c6a3d1e2', 70);
        INSERT INTO open_erasures VALUES ('s', 'leaving', 80);
      `),
    check(db) {
      const operations = createOperations(db);
      expect(operations.openErasures(80, 10)).toEqual([{ schoolId: 's', userId: 'leaving' }]);
      expect(operations.erasedAt({ schoolId: 's', userId: 'student' })).toBeNull();
      expect(db.prepare('SELECT erased_at FROM erased_people').pluck().all()).toEqual([70]);
    },
  },
  {
    fill: (db) => db.exec(`INSERT INTO profiles VALUES ('s', 'student', '{"school_year":"12"}', 4, 90, 'student')`),
    check(db) {
      const kept = { profile: '{"school_year":"12"}', version: 4, updatedAt: 90, updatedBy: 'student' };
      expect(createOperations(db).profile('s', 'student')).toEqual(kept);
    },
  },
];

function schemaOf(db: Database.Database): unknown[] {
  return db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
}

function migrated(steps?: readonly Migration[]): Database.Database {
  const db = new Database(':memory:');
  migrate(db, steps);
  return db;
}

describe('migrating', () => {
  it('has a history of data for every version there was', () => {
    expect(histories).toHaveLength(migrations.length + 1);
  });

  it.each(histories.map((history, version) => ({ history, version })))(
    'from version $version keeps what was there and ends at the newest schema',
    ({ history, version }) => {
      const db = migrated(migrations.slice(0, version));
      history.fill(db);
      expect(migrate(db)).toEqual({ fromVersion: version, version: migrations.length });
      db.pragma('foreign_keys = ON');
      history.check(db);
      expect(schemaOf(db)).toEqual(schemaOf(migrated()));
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.pragma('foreign_key_check')).toEqual([]);
    },
  );

  it('does nothing to a database that is at the newest version', () => {
    const db = migrated();
    expect(migrate(db)).toEqual({ fromVersion: migrations.length, version: migrations.length });
  });

  it('refuses a database from a newer program in one sentence, and leaves it alone', () => {
    const db = migrated();
    db.pragma(`user_version = ${migrations.length + 3}`);
    expect(() => migrate(db)).toThrow(
      /^The database .* is at schema version \d+, but this program knows no later one than \d+: start the newer program, or restore a backup made by this one\.$/,
    );
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length + 3);
  });

  const one = { name: 'one', sql: 'CREATE TABLE one (id INTEGER PRIMARY KEY) STRICT' };

  it('takes each step whole or not at all, and keeps those before a step that fails', () => {
    const broken = { name: 'two', sql: 'CREATE TABLE two (id INTEGER) STRICT; CREATE TABLE one (id INTEGER) STRICT' };
    const db = new Database(':memory:');
    expect(() => migrate(db, [one, broken])).toThrow(/one already exists/);
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    expect(schemaOf(db)).toHaveLength(1);
    const mended = { name: 'two', sql: 'CREATE TABLE two (id INTEGER) STRICT' };
    expect(migrate(db, [one, mended])).toEqual({ fromVersion: 1, version: 2 });
  });

  it('undoes a step that leaves a row pointing at nothing', () => {
    const orphaning = {
      name: 'two',
      sql: 'CREATE TABLE two (one_id INTEGER REFERENCES one (id)) STRICT; INSERT INTO two VALUES (5)',
    };
    const db = new Database(':memory:');
    db.pragma('foreign_keys = OFF');
    expect(() => migrate(db, [one, orphaning])).toThrow('Migration two left 1 orphans.');
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    expect(schemaOf(db)).toHaveLength(1);
  });
});
