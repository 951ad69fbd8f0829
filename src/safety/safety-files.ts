/** How grave an entry is: 1 passing, 2 serious, 3 a danger to somebody. */
export type Severity = 1 | 2 | 3;

/** What an entry of any data file has; `where` is its `file:line:column`, for the message that it is wrong. */
type Located = { id: string; phrase: string; where?: string | undefined };

/** One entry of a lexicon; see `parsePhrase` for what a phrase may be. The category `instruction` is never exempt. */
export type LexiconEntry = Located & { category: string; severity: Severity };

export type Lexicon = { language: string; boundary: string; entries: readonly LexiconEntry[] };

export type DebriefMarker = Located;
export type Indicator = Located & { kind: string; weight: number };
export type InjectionPattern = Located & { kind: string };
export type CrisisSign = Located & { kind: string; severity: Severity };
export type HelpLine = { name: string; contact: string; hours: string; for: readonly string[] };

/** The data of one language; what its folder has no file for is empty. */
export type LanguageData = {
  paradigms: Readonly<Record<string, readonly string[]>>;
  ordinaryWords: readonly string[];
  debriefMarkers: readonly DebriefMarker[];
  indicators: readonly Indicator[];
  injections: readonly InjectionPattern[];
  crisisSigns: readonly CrisisSign[];
  fallbacks: Readonly<Record<string, string>>;
  helpLines: { intro: string; lines: readonly HelpLine[] };
  safeWords: readonly string[];
};

/** The safety data as read from disk, in shape. The language `xx` is for what holds in every language. */
export type SafetyFiles = {
  lexicons: readonly Lexicon[];
  languages: Readonly<Record<string, LanguageData>>;
};
