import type { Heaviest, ReplyEntry } from './judge.ts';
import { makePhraseBook, type PhraseBook, type PhraseSource } from './phrase-book.ts';
import type { HelpLine, Indicator, SafetyFiles, Severity } from './safety-files.ts';

/** What a pattern of the input automaton stands for. */
export type InputEntry =
  | { kind: 'injection'; id: string; injection: string }
  | { kind: 'crisis'; id: string; crisis: string; severity: Severity };

/** Everything the filters need, built once at start and shared by every reply. */
export type CompiledSafety = {
  readonly reply: PhraseBook<ReplyEntry>;
  readonly input: PhraseBook<InputEntry>;
  /** Boundaries that a lexicon knows, alphabetically. */
  readonly boundaries: readonly string[];
  /** Numbers and addresses of the help lines, which are no personal data. */
  readonly publicContacts: readonly string[];
  /** The greatest weight an indicator of each kind has. */
  readonly heaviest: Heaviest;
  /** What cannot be used and why, each as `file:line:column: …`. */
  readonly problems: readonly string[];
  readonly stats: { phrases: number; states: number; bytes: number; vetoed: number };
  /** What is shown in place of a redacted reply; '' where the language has no text at all. */
  fallback(language: string, boundary: string): string;
  /** The help lines for any of these kinds, in the order of the data. */
  helpLines(language: string, kinds: readonly string[]): { intro: string; lines: readonly HelpLine[] };
  /** The safe words of a language. */
  safeWords(language: string): readonly string[];
};

/** The group of phrases that show that a text in a language teaches. */
export function markersOf(language: string): string {
  return `debrief_marker ${language}`;
}

/** The group of phrases by which a text in a language presses. */
export function indicatorsOf(language: string): string {
  return `intensity ${language}`;
}

/** Categories and boundaries that no debrief exempts. */
const neverExempt = new Set(['sexual_content', 'personal_data']);

/** Builds the shared tables: pure, and a fraction of a second's work. */
export function compileSafety(files: SafetyFiles): CompiledSafety {
  const problems: string[] = [];
  const reply = makePhraseBook([...forbidden(files), ...shared(files)], files.languages, problems);
  const input = makePhraseBook(inputSources(files), files.languages, problems);
  const lines = Object.values(files.languages).flatMap((data) => data.helpLines.lines);
  return {
    reply,
    input,
    boundaries: [...new Set(files.lexicons.map((lexicon) => lexicon.boundary))].sort(),
    publicContacts: lines.map((line) => line.contact),
    heaviest: heaviestOf(Object.values(files.languages).flatMap((data) => data.indicators)),
    problems,
    stats: {
      phrases: reply.phraseCount + input.phraseCount,
      states: reply.words.places.length + input.words.places.length,
      bytes: reply.words.next.byteLength + input.words.next.byteLength,
      vetoed: reply.vetoed + input.vetoed,
    },
    fallback(language, boundary) {
      const texts = files.languages[language]?.fallbacks ?? files.languages['en']?.fallbacks ?? {};
      return texts[boundary] ?? texts['default'] ?? '';
    },
    helpLines(language, kinds) {
      const { intro, lines: all } = files.languages[language]?.helpLines ?? { intro: '', lines: [] };
      return { intro, lines: all.filter((line) => line.for.some((kind) => kinds.includes(kind))) };
    },
    safeWords: (language) => files.languages[language]?.safeWords ?? [],
  };
}

function heaviestOf(indicators: readonly Indicator[]): Heaviest {
  const heaviest = new Map<string, number>();
  for (const { kind, weight } of indicators) heaviest.set(kind, Math.max(weight, heaviest.get(kind) ?? 0));
  return heaviest;
}

function forbidden(files: SafetyFiles): PhraseSource<ReplyEntry>[] {
  return files.lexicons.flatMap(({ language, boundary, entries }) =>
    entries.map(({ id, phrase, category, severity, where }) => ({
      entry: {
        kind: 'forbidden' as const,
        id,
        boundary,
        severity,
        exemptible: !neverExempt.has(boundary) && category !== 'instruction',
      },
      phrase,
      language,
      group: boundary,
      joined: true,
      where: where ?? `${language}/${boundary} ${id}`,
    })),
  );
}

function shared(files: SafetyFiles): PhraseSource<ReplyEntry>[] {
  return Object.entries(files.languages).flatMap(([language, data]) => [
    ...data.debriefMarkers.map(({ id, phrase, where }) => ({
      entry: { kind: 'marker' as const, id },
      phrase,
      language,
      group: markersOf(language),
      joined: false,
      where: where ?? `${language} debrief marker ${id}`,
    })),
    ...data.indicators.map(({ id, phrase, kind, weight, where }) => ({
      entry: { kind: 'indicator' as const, id, indicator: kind, weight },
      phrase,
      language,
      group: indicatorsOf(language),
      joined: false,
      where: where ?? `${language} intensity ${id}`,
    })),
  ]);
}

function inputSources(files: SafetyFiles): PhraseSource<InputEntry>[] {
  return Object.entries(files.languages).flatMap(([language, data]) => [
    ...data.injections.map(({ id, phrase, kind, where }) => ({
      entry: { kind: 'injection' as const, id, injection: kind },
      phrase,
      language,
      group: 'injection',
      joined: true,
      where: where ?? `${language} injection ${id}`,
    })),
    ...data.crisisSigns.map(({ id, phrase, kind, severity, where }) => ({
      entry: { kind: 'crisis' as const, id, crisis: kind, severity },
      phrase,
      language,
      group: 'crisis',
      joined: true,
      where: where ?? `${language} crisis ${id}`,
    })),
  ]);
}
