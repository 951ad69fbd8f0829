import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { z } from 'zod';
import { AppError } from '../core/errors.ts';
import { type JsonPath, type JsonSource, readJson } from '../core/json-source.ts';
import type { LanguageData, Lexicon, SafetyFiles } from '../safety/safety-files.ts';

/** Something wrong in a data file. Nothing of that file is used until it is mended. */
export type LexiconFinding = { file: string; line: number; column: number; message: string };

const located = { id: z.string().min(1), phrase: z.string().min(1) };
const severity = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const lexicon = z.object({
  language: z.string(),
  boundary: z.string().min(1),
  entries: z.array(z.object({ ...located, category: z.string(), severity })),
});
const schemas = {
  paradigms: z.object({ paradigms: z.record(z.string(), z.array(z.string())) }),
  'debrief-markers': z.object({ markers: z.array(z.object(located)) }),
  intensity: z.object({
    indicators: z.array(z.object({ ...located, kind: z.string(), weight: z.number().positive() })),
  }),
  injection: z.object({ patterns: z.array(z.object({ ...located, kind: z.string() })) }),
  crisis: z.object({ signs: z.array(z.object({ ...located, kind: z.string(), severity })) }),
  fallbacks: z.record(z.string(), z.string()),
  'help-lines': z.object({
    intro: z.string(),
    lines: z.array(z.object({ name: z.string(), contact: z.string(), hours: z.string(), for: z.array(z.string()) })),
  }),
  'safe-words': z.object({ words: z.array(z.string().min(1)) }),
};

/**
 * Reads `lexicons/<language>/<boundary>.json`, `paradigms.json`, `ordinary-words.txt` and `safety/<language>/*.json`
 * below each folder; the folder `common` is every language's. A school's own folder may come after the shipped one
 * and adds to it. A wrong file is left out whole and told of with its line. Never throws.
 */
export async function readSafetyFiles(
  ...folders: readonly string[]
): Promise<{ files: SafetyFiles; findings: LexiconFinding[] }> {
  const reader = new Reader();
  for (const folder of folders) {
    for (const name of await namesIn(join(folder, 'lexicons')))
      await reader.readLexicons(join(folder, 'lexicons', name), name);
    for (const name of await namesIn(join(folder, 'safety')))
      await reader.readLanguage(join(folder, 'safety', name), name);
  }
  return { files: { lexicons: reader.lexicons, languages: reader.languages }, findings: reader.findings };
}

/** A server without them would let everything through, and so is not to start. Throws an `AppError` that says why. */
export function requireSafety({ lexicons, languages }: SafetyFiles): void {
  const all = Object.values(languages);
  const missing = [
    ...(lexicons.length === 0 ? ['lexicons/'] : []),
    ...(all.every(({ crisisSigns }) => crisisSigns.length === 0) ? ['safety/<language>/crisis.json'] : []),
    ...(all.every(({ helpLines }) => helpLines.lines.length === 0) ? ['safety/<language>/help-lines.json'] : []),
  ];
  if (missing.length === 0) return;
  const what = missing.join(', ');
  throw new AppError('INTERNAL', `What keeps students safe is missing in the folder data/: ${what}. Restore it.`);
}

class Reader {
  readonly lexicons: Lexicon[] = [];
  readonly languages: Record<string, Language> = {};
  readonly findings: LexiconFinding[] = [];

  async readLexicons(folder: string, name: string): Promise<void> {
    const language = name === 'common' ? 'xx' : name;
    for (const file of await namesIn(folder)) {
      const path = join(folder, file);
      if (file === 'ordinary-words.txt')
        this.#of(language).ordinaryWords.push(...wordsIn(await readFile(path, 'utf8')));
      else if (file === 'paradigms.json')
        Object.assign(this.#of(language).paradigms, (await this.#read(path, schemas.paradigms))?.value.paradigms);
      else if (file.endsWith('.json')) await this.#readLexicon(path, language);
    }
  }

  async readLanguage(folder: string, name: string): Promise<void> {
    const language = name === 'common' ? 'xx' : name;
    const data = this.#of(language);
    const at = (name: string) => join(folder, `${name}.json`);
    const [markers, intensity, injection, crisis, fallbacks, help, safe] = await Promise.all([
      this.#read(at('debrief-markers'), schemas['debrief-markers']),
      this.#read(at('intensity'), schemas.intensity),
      this.#read(at('injection'), schemas.injection),
      this.#read(at('crisis'), schemas.crisis),
      this.#read(at('fallbacks'), schemas.fallbacks),
      this.#read(at('help-lines'), schemas['help-lines']),
      this.#read(at('safe-words'), schemas['safe-words']),
    ]);
    data.debriefMarkers.push(...place(markers, 'markers', markers?.value.markers));
    data.indicators.push(...place(intensity, 'indicators', intensity?.value.indicators));
    data.injections.push(...place(injection, 'patterns', injection?.value.patterns));
    data.crisisSigns.push(...place(crisis, 'signs', crisis?.value.signs));
    Object.assign(data.fallbacks, fallbacks?.value);
    if (help) data.helpLines = help.value;
    data.safeWords.push(...(safe?.value.words ?? []));
  }

  async #readLexicon(path: string, language: string): Promise<void> {
    const read = await this.#read(path, lexicon);
    if (!read) return;
    const { boundary } = read.value;
    const entries = place(read, 'entries', read.value.entries);
    if (boundary === basename(path, '.json')) this.lexicons.push({ language, boundary, entries });
    else this.#find(read, ['boundary'], `The file is called ${basename(path)}, yet its boundary is "${boundary}".`);
  }

  async #read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<Read<z.infer<Schema>> | null> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch {
      // A language need not have every file.
      return null;
    }
    const file = posix.join(basename(join(path, '..')), basename(path));
    const reading = readJson(text);
    if (reading.kind === 'unreadable') {
      const { position, message } = reading.problem;
      this.findings.push({ file, ...position, message });
      return null;
    }
    const { source } = reading;
    const parsed = schema.safeParse(source.value);
    if (parsed.success) return { file, source, value: parsed.data };
    for (const issue of parsed.error.issues) {
      this.#find(
        { file, source },
        issue.path.filter((part) => typeof part !== 'symbol'),
        `${issue.path.join('.')}: ${issue.message}`,
      );
    }
    return null;
  }

  #find({ file, source }: { file: string; source: JsonSource }, path: JsonPath, message: string): void {
    this.findings.push({ file, ...source.locate(path), message });
  }

  #of(language: string): Language {
    const known = this.languages[language];
    if (known) return known;
    const made: Language = {
      paradigms: {},
      ordinaryWords: [],
      debriefMarkers: [],
      indicators: [],
      injections: [],
      crisisSigns: [],
      fallbacks: {},
      helpLines: { intro: '', lines: [] },
      safeWords: [],
    };
    this.languages[language] = made;
    return made;
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };
type Language = Mutable<LanguageData> & {
  paradigms: Record<string, readonly string[]>;
  fallbacks: Record<string, string>;
};
type Read<Value> = { file: string; source: JsonSource; value: Value };

/** Entries with the place each stands at. */
function place<Entry extends object>(
  read: { file: string; source: JsonSource } | null,
  key: string,
  entries: readonly Entry[] = [],
): (Entry & { where?: string })[] {
  return entries.map((entry, index) => {
    if (!read) return entry;
    const { line, column } = read.source.locate([key, index]);
    return { ...entry, where: `${read.file}:${line}:${column}` };
  });
}

function wordsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/u, '').trim())
    .filter((word) => word !== '');
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
  } catch {
    return [];
  }
}
