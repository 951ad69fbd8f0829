import type { Migration } from '../sqlite/migrate.ts';

/** A profile's prose is written from its fields whenever it is needed, in the language and on the day it is for. */
export const noNarrative: Migration = {
  name: '0008-no-narrative',
  sql: 'ALTER TABLE profiles DROP COLUMN narrative;',
};
