import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../core/random.ts';
import { analyseText } from '../../memory/search-text.ts';
import { openDatabase } from './database.ts';
import { itemPutter } from './memory-items.ts';
import { createOperations } from './operations.ts';
import { personTables } from './person-tables.ts';
import { aDocument } from './search.fixture.ts';
import { searchIndexer } from './search-indexer.ts';

const ona = { schoolId: 'school', userId: 'ona-petraite' };
const jonas = { schoolId: 'school', userId: 'jonas' };
const onaElsewhere = { schoolId: 'elsewhere', userId: 'ona-petraite' };
const step = { limit: 100, heirId: 'nobody' };

/** Columns that name a person. A new one belongs here, and then the tests say what else it needs. */
const personColumns = [
  'owner_id',
  'user_id',
  'teacher_id',
  'guardian_id',
  'student_id',
  'learner_id',
  'by_user',
  'updated_by',
];
/** Not handed out: counters, and the mark of an erasure that is under way. */
const notExported = new Set(['rate_windows', 'open_erasures']);

type Column = { name: string; type: string; notnull: number };

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-privacy-'));
  const file = join(folder, 'privacy.db');
  const { db } = openDatabase(file);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const bytes = () => readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1');
  return { db, bytes, operations: createOperations(db) };
}

function tablesOf(db: Database): { name: string; columns: Column[] }[] {
  const names = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search\\_index%' ESCAPE '\\'
         AND name <> 'search_vocabulary'`,
    )
    .pluck()
    .all();
  return names.map((name) => ({ name, columns: db.prepare<[], Column>(`PRAGMA table_info(${name})`).all() }));
}

function namesPerson({ name, columns }: { name: string; columns: readonly Column[] }): boolean {
  return name === 'users' || columns.some((column) => personColumns.includes(column.name));
}

/** A row in each table that names a person, all of it hanging together, whatever tables there are. */
function plant(db: Database, { schoolId, userId }: typeof ona, mark: string): void {
  db.pragma('foreign_keys = OFF');
  db.prepare(`INSERT INTO schools VALUES (?, '', 5) ON CONFLICT DO NOTHING`).run(schoolId);
  for (const { name, columns } of tablesOf(db)) {
    if (!namesPerson({ name, columns }) || name === 'search_documents' || name === 'memory_items') continue;
    const values = columns
      .filter((column) => column.name !== 'ordinal')
      .map((column): [string, string | number | Buffer | null] => {
        if (column.name === 'school_id') return ['school_id', schoolId];
        if (personColumns.includes(column.name)) return [column.name, userId];
        if (name === 'users' && column.name === 'id') return ['id', userId];
        if (column.name === 'is_first') return ['is_first', 0];
        if (column.type === 'INTEGER') return [column.name, 5];
        if (column.type === 'BLOB') return [column.name, Buffer.from(mark)];
        if (['payload', 'state', 'terminal_data'].includes(column.name)) return [column.name, JSON.stringify({ mark })];
        if (column.name === 'status') return ['status', 'done'];
        if (column.name === 'role') return ['role', 'teacher'];
        if (/_id$|^id$/u.test(column.name))
          return [column.name, `${mark}-${column.name === 'id' ? idOf(name) : column.name}`];
        return [column.name, `${mark} in ${name}.${column.name}`];
      });
    const names = values.map(([column]) => column).join(', ');
    db.prepare(`INSERT INTO ${name} (${names}) VALUES (${values.map(() => '?').join(', ')})`).run(
      ...values.map(([, value]) => value),
    );
  }
  for (const kind of ['turns', 'tokens', 'tickets', 'exports', 'learners'])
    db.prepare('INSERT INTO rate_windows VALUES (?, 0, 9, 1)').run(`${kind}:${schoolId}:${userId}`);
  const owner = { schoolId, userId };
  const text = `${mark} and ${mark}s`;
  searchIndexer(db).put(aDocument(owner, text, { learnerId: userId }));
  const item = { id: `${mark}-item`, projectId: `${mark}-project`, type: 'error', key: mark, value: '{}', text };
  itemPutter(db)(owner, { ...item, ...analyseText(text), createdAt: 5, expiresAt: 5 });
  db.pragma('foreign_keys = ON');
}

/** What another table's column calls a row of this one. */
function idOf(table: string): string {
  const names: Record<string, string> = {
    classes: 'class_id',
    sessions: 'session_id',
    turns: 'turn_id',
    rolling_memories: 'memory_id',
    memory_archives: 'archive_id',
  };
  return names[table] ?? `${table}-id`;
}

/** Rows of any table in which a text stands, whatever the column. */
function rowsWith(db: Database, text: string): string[] {
  return tablesOf(db).flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .some((row) => JSON.stringify(row).includes(text))
      ? [name]
      : [],
  );
}

function erase(operations: ReturnType<typeof createOperations>, owner: typeof ona, limit = step.limit) {
  const removed: Record<string, number> = {};
  operations.beginErasure(owner, 1_000);
  for (let steps = 1; ; steps += 1) {
    const done = operations.erasePerson(owner, { ...step, limit });
    for (const [table, count] of Object.entries(done.removed)) removed[table] = (removed[table] ?? 0) + count;
    if (done.isDone) return { removed, steps };
  }
}

describe('every table that names a person', () => {
  it('is in the export', () => {
    const { db, operations } = openFile();
    plant(db, ona, 'zqxmark');
    const { sections } = operations.exportPerson(ona);
    for (const { name } of tablesOf(db).filter(namesPerson)) {
      if (notExported.has(name)) continue;
      expect(sections[name]?.length, name).toBe(1);
    }
    expect(Object.values(operations.exportPerson(jonas).sections).flat()).toEqual([]);
    expect(Object.values(operations.exportPerson(onaElsewhere).sections).flat()).toEqual([]);
  });

  it('is reached by an erasure, and nobody else is', () => {
    const { db, operations } = openFile();
    plant(db, ona, 'zqxmark');
    plant(db, jonas, 'jonasmark');
    plant(db, onaElsewhere, 'elsewheremark');
    const before = [rowsWith(db, 'jonasmark'), rowsWith(db, 'elsewheremark')];
    expect(rowsWith(db, 'zqxmark').length).toBeGreaterThan(20);
    const { removed } = erase(operations, ona);
    // The class stays with the school.
    expect(rowsWith(db, 'zqxmark')).toEqual(['classes']);
    expect(
      db.prepare('SELECT teacher_id FROM classes WHERE school_id = ? AND id LIKE ?').pluck().get('school', 'zqx%'),
    ).toBe('nobody');
    expect(db.prepare(`SELECT display_name FROM users WHERE id = 'nobody'`).pluck().get()).toBeNull();
    expect(rowsWith(db, '"ona-petraite"').filter((name) => name !== 'classes')).not.toEqual([]);
    expect([rowsWith(db, 'jonasmark'), rowsWith(db, 'elsewheremark')]).toEqual(before);
    const erasable = tablesOf(db)
      .filter(namesPerson)
      .map(({ name }) => name);
    for (const name of erasable)
      if (!['classes', 'open_erasures'].includes(name)) expect(removed[name], name).toBeGreaterThan(0);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    const known = new Set([
      ...personTables.map(({ name }) => name),
      ...Object.keys(removed),
      'classes',
      'open_erasures',
    ]);
    expect(erasable.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('an erasure', () => {
  it('goes in bounded steps, comes to an end, and is then known by a hash alone', () => {
    const { db, operations } = openFile();
    plant(db, ona, 'zqxmark');
    expect(operations.erasedAt(ona)).toBeNull();
    const { steps } = erase(operations, ona, 2);
    expect(steps).toBeGreaterThan(8);
    expect(operations.openErasures(2_000, 10)).toEqual([]);
    expect(operations.erasedAt(ona)).toBe(1_000);
    expect([operations.erasedAt(jonas), operations.erasedAt(onaElsewhere)]).toEqual([null, null]);
    expect(rowsWith(db, 'ona-petraite')).toEqual([]);
    expect(erase(operations, ona)).toEqual({ removed: {}, steps: 1 });
  });

  it('that was cut off is found again, by whoever it is about', () => {
    const { db, operations } = openFile();
    plant(db, ona, 'zqxmark');
    db.prepare('DELETE FROM open_erasures').run();
    operations.beginErasure(ona, 1_000);
    operations.erasePerson(ona, { ...step, limit: 3 });
    expect(operations.openErasures(999, 10)).toEqual([]);
    expect(operations.openErasures(1_000, 10)).toEqual([ona]);
  });

  it('leaves no byte behind however much was kept, among what others keep', () => {
    const { db, bytes, operations } = openFile();
    const random = seededRandom(11);
    const secret = 'qxwkzqj';
    const long = () => `${secret} `.repeat(1 + Math.floor(random.fraction() * 400));
    plant(db, ona, secret);
    plant(db, jonas, 'jonasmark');
    const insert = db.prepare(
      `INSERT INTO exchanges (id, school_id, owner_id, session_id, turn_id, role, phase, redacted, created_at, content)
       VALUES (?, 'school', ?, ?, 't', 'user', '', 0, 5, ?)`,
    );
    const fact = db.prepare(
      `INSERT INTO facts (id, school_id, owner_id, cartridge_id, learner_id, kind, text, learned_at)
       VALUES (?, 'school', ?, 'mentor', '', 'k', ?, 5)`,
    );
    for (let index = 0; index < 1_500; index += 1) {
      db.transaction(() => {
        insert.run(`e${random.fraction()}`, 'ona-petraite', `${secret}-session_id`, long());
        insert.run(`e${random.fraction()}`, 'jonas', 'jonasmark-session_id', 'ramus ežeras '.repeat(1 + (index % 90)));
        fact.run(`${secret}${random.fraction()}`, 'ona-petraite', long());
        fact.run(`f${random.fraction()}`, 'jonas', 'ramus vanduo');
      })();
      if (index % 3 === 0)
        db.prepare(`UPDATE exchanges SET content = ? WHERE ordinal = ? AND owner_id <> 'jonas'`).run(long(), 1 + index);
    }
    expect(operations.compact('log')).toBe(true);
    expect(bytes()).toContain(secret);
    db.prepare(`UPDATE classes SET title = '', join_code = 'x' WHERE title LIKE '%qxwk%'`).run();
    db.pragma('foreign_keys = OFF');
    db.prepare(`UPDATE classes SET id = 'c', cartridge_ids = NULL WHERE id LIKE '%qxwk%'`).run();
    db.pragma('foreign_keys = ON');
    for (;;) {
      operations.beginErasure(ona, 1_000);
      if (db.transaction(() => operations.erasePerson(ona, step))().isDone) break;
    }
    expect(operations.compact('rewrite')).toBe(true);
    const held = bytes();
    for (const piece of [secret, 'xwkzqj', 'ona-petraite']) expect(held.includes(piece), piece).toBe(false);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  }, 60_000);
});
