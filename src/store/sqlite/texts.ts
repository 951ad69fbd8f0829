import type { Database } from 'better-sqlite3';
import type { CartridgeVersion, PromptText } from '../../engine/ports/store.ts';
import type { Operations } from './operations.ts';

/** Texts kept by their hash, which belong to nobody: cartridge versions and prompt texts. */
export function textOperations(db: Database): Pick<Operations, 'keepCartridge' | 'cartridge' | 'promptTexts'> {
  const keep = db.prepare<CartridgeVersion>(
    `INSERT INTO cartridge_versions (hash, cartridge_id, text, kept_at) VALUES (@hash, @cartridgeId, @text, @keptAt)
     ON CONFLICT DO NOTHING`,
  );
  const version = db.prepare<[string], CartridgeVersion>(
    'SELECT hash, cartridge_id AS cartridgeId, text, kept_at AS keptAt FROM cartridge_versions WHERE hash = ?',
  );
  const texts = db.prepare<[string], PromptText>(
    'SELECT hash, text FROM prompt_texts WHERE hash IN (SELECT value FROM json_each(?))',
  );
  return {
    keepCartridge: (record) => void keep.run(record),
    cartridge: (hash) => version.get(hash) ?? null,
    promptTexts: (hashes) => texts.all(JSON.stringify(hashes)),
  };
}
