import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { searchMemories, type MemoryQuestion } from '../../engine/search-memory.ts';
import type { MemorySearch, SearchDocument } from '../../engine/ports/memory-search.ts';
import type { Owner } from '../../engine/ports/store.ts';
import { analyseText } from '../../memory/search-text.ts';
import { openDatabase } from './database.ts';
import { memorySearchOperations } from './memory-search.ts';
import { searchIndexer } from './search-indexer.ts';

/** A store's database in a folder of its own, with what searches it and what a test puts in. */
export function openSearch() {
  const folder = mkdtempSync(join(tmpdir(), 'trickster-search-'));
  const file = join(folder, 'search.db');
  const { db } = openDatabase(file);
  const close = () => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(close);
  return { file, db, close, ...searchOver(db) };
}

export function searchOver(db: Database.Database) {
  const indexer = searchIndexer(db);
  const operations = memorySearchOperations(db);
  const memory: MemorySearch = {
    searchMemory: (...input) => Promise.resolve(operations.searchMemory(...input)),
    similarWords: (...input) => Promise.resolve(operations.similarWords(...input)),
  };
  const put = (...documents: SearchDocument[]) =>
    db.transaction(() => documents.forEach((document) => indexer.put(document)))();
  const ask = (owner: Owner, text: string, how: Partial<MemoryQuestion> = {}) =>
    searchMemories(memory, owner, { text, includeArchive: true, limit: 20, offset: 0, ...how });
  /** The ids of what a search finds, best first. */
  const find = async (owner: Owner, text: string, how: Partial<MemoryQuestion> = {}) => {
    const answer = await ask(owner, text, how);
    return answer.kind === 'found' ? answer.hits.map(({ id }) => id) : [];
  };
  return { indexer, operations, put, ask, find };
}

let documents = 0;

export function aDocument(owner: Owner, text: string, given: Partial<SearchDocument> & { language?: string } = {}) {
  documents += 1;
  const { language, ...rest } = given;
  const document: SearchDocument = {
    id: `document-${documents}`,
    schoolId: owner.schoolId,
    ownerId: owner.userId,
    cartridgeId: 'mentor',
    learnerId: null,
    kind: 'summary',
    isArchived: false,
    at: documents,
    text,
    ...analyseText(text, language),
    ...rest,
  };
  return document;
}

/** Throws where the index and what it keeps of itself do not fit together. */
export function indexIntegrity(db: Database.Database): void {
  db.exec(`INSERT INTO search_index (search_index) VALUES ('integrity-check')`);
}
