import { cutText } from './fit-text.ts';

/** What is read of a value: text beyond these is left out, however the value is built. */
export const memoryTextLimits = { characters: 4_000, depth: 16, values: 400 } as const;

type Limits = { characters: number; depth: number; values: number };
type Written = { parts: string[]; characters: number; values: number };

/**
 * A JSON value as words that can be searched and read: each value on a line, after the names that lead to it
 * (`cause.file: index.php`). Numbers and truth values are written out, nulls and empty texts left out. What exceeds the
 * limits is cut off; what is not JSON (functions, cycles) is passed over or cut off with it. Never throws on data.
 */
export function textOfValue(value: unknown, limits: Limits = memoryTextLimits): string {
  const written: Written = { parts: [], characters: 0, values: 0 };
  write(value, [], { written, limits });
  return cutText(written.parts.join('\n'), limits.characters);
}

function write(value: unknown, path: readonly string[], to: { written: Written; limits: Limits }): void {
  const { written, limits } = to;
  if (written.characters >= limits.characters || written.values >= limits.values) return;
  written.values += 1;
  if (Array.isArray(value)) {
    if (path.length >= limits.depth) return;
    for (let index = 0; index < value.length && written.values < limits.values; index++) {
      write(value[index], [...path, ''], to);
    }
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= limits.depth) return;
    for (const [name, inner] of Object.entries(value)) {
      if (written.values >= limits.values) return;
      write(inner, [...path, name], to);
    }
  } else {
    const words = typeof value === 'string' ? value.slice(0, limits.characters + 1).trim() : plainText(value);
    if (words === '') return;
    const names = path.filter((name) => name !== '').join('.');
    const part = names === '' ? words : `${names.slice(0, 200)}: ${words}`;
    written.parts.push(part);
    written.characters += part.length + 1;
  }
}

function plainText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : '';
}
