import type { Database } from 'better-sqlite3';
import type { Operations } from './operations.ts';

/**
 * Empties the words of lessons whose time is over. A withdrawn reply's fallback is its author's, and stays. The lengths
 * of a turn's tokens stay too, so that whoever follows it still gets its end, at its place, with no text before it.
 */
export function lessonTextOperations(db: Database): Pick<Operations, 'expireLessonTexts'> {
  const isOver = `(s.ended_at < @before OR (s.ended_at IS NULL AND s.updated_at < @before AND NOT EXISTS
    (SELECT 1 FROM exchanges later WHERE later.session_id = s.id AND later.created_at >= @before)))`;
  // CROSS JOIN: the words that are old are looked through, and not all sessions.
  const exchanges = db.prepare<{ before: number; limit: number }>(
    `UPDATE exchanges SET content = '' WHERE ordinal IN
       (SELECT e.ordinal FROM exchanges e CROSS JOIN sessions s ON s.id = e.session_id
        WHERE e.content <> '' AND e.redacted = 0 AND e.role IN ('student', 'trickster') AND e.created_at < @before
          AND ${isOver}
        LIMIT @limit)`,
  );
  const turns = db.prepare<{ before: number; limit: number }>(
    `UPDATE turns SET text = '', terminal_data = CASE terminal_name
         WHEN 'error' THEN json_set(terminal_data, '$.partial_text', '') ELSE terminal_data END
     WHERE ordinal IN
       (SELECT t.ordinal FROM turns t CROSS JOIN sessions s ON s.id = t.session_id
        WHERE t.text <> '' AND t.kind IN ('dialogue', 'debrief') AND t.started_at < @before AND ${isOver}
        LIMIT @limit)`,
  );
  return {
    expireLessonTexts(before, limit) {
      const { changes } = exchanges.run({ before, limit });
      return changes + (changes < limit ? turns.run({ before, limit: limit - changes }).changes : 0);
    },
  };
}
