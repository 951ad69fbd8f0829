import type { CompiledSafety } from './compile.ts';
import { foldEach } from './fold-text.ts';
import { Matcher } from './matcher.ts';
import type { Severity } from './safety-files.ts';
import { isWordSymbol } from './symbols.ts';

/** What a learner's message shows. It is never blocked and never altered. */
export type InputScreen = {
  injections: readonly { id: string; kind: string }[];
  crisis: readonly { id: string; kind: string; severity: Severity }[];
  /** A safe word was said: the character steps out of role. */
  safeWord: boolean;
};

/** What a turn that answers no message shows. */
export const quietScreen: InputScreen = { injections: [], crisis: [], safeWord: false };

/** Short words are markers only with one of these beside them: `[INST]`, `<s>`. */
const brackets = /[[\]<>{}|/]/u;
const shortMarker = 5;

/**
 * Screens one message, whatever language it is in; obfuscated as a reply may be. `language` and the cartridge's own
 * `safeWords` say which safe words count: as the whole message, or a sentence or clause of it.
 */
export function screenInput(
  compiled: CompiledSafety,
  text: string,
  options: { language: string; safeWords?: readonly string[] },
): InputScreen {
  const injections = new Map<string, string>();
  const crisis = new Map<string, { kind: string; severity: Severity }>();
  const { words, entries, machineFor, maskOf } = compiled.input;
  const machine = machineFor({ hold: 0, follow: maskOf(['injection', 'crisis']) });
  const matcher = new Matcher(words, machine, (index, start, end) => {
    const entry = entries[index];
    if (entry?.kind === 'crisis') crisis.set(entry.id, { kind: entry.crisis, severity: entry.severity });
    else if (entry && standsAsInjection(entry.injection, text, { start, end }))
      injections.set(entry.id, entry.injection);
  });
  foldEach(text, (symbol, offset) => matcher.step(symbol, offset));
  matcher.end(text.length);
  const safeWords = [...compiled.safeWords(options.language), ...(options.safeWords ?? [])];
  return {
    injections: Array.from(injections, ([id, kind]) => ({ id, kind })),
    crisis: Array.from(crisis, ([id, sign]) => ({ id, ...sign })),
    safeWord: says(text, safeWords),
  };
}

/** A role is one where it opens a line and something is put into its mouth; a short marker where it stands in brackets. */
function standsAsInjection(kind: string, text: string, { start, end }: { start: number; end: number }): boolean {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (kind === 'role') {
    const opening = before.slice(before.lastIndexOf('\n') + 1);
    if (/[\p{L}\p{N}]/u.test(opening)) return false;
    return /^[\s*_`"']*[:>\]|=}：]/u.test(after) || (/[#<[|]/u.test(opening) && /^[^\S\n]*(\n|$)/u.test(after));
  }
  if (kind !== 'marker' || end - start > shortMarker) return true;
  return brackets.test(before.trimEnd().slice(-1)) || brackets.test(after.trimStart().slice(0, 1));
}

function says(text: string, safeWords: readonly string[]): boolean {
  const wanted = new Set(safeWords.map(plainWords));
  wanted.delete('');
  return [text, ...text.split(/[.!?…;,:()"„“”\n]+/u)].some((clause) => wanted.has(plainWords(clause)));
}

/** A clause as nothing but its words, folded. */
function plainWords(clause: string): string {
  const words: number[][] = [[]];
  foldEach(clause, (symbol) => {
    if (isWordSymbol(symbol)) words.at(-1)?.push(symbol);
    else words.push([]);
  });
  return words
    .filter((word) => word.length > 0)
    .map((word) => word.join())
    .join(' ');
}
