import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { profanity } from '@2toad/profanity';
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import { readSafetyFiles } from '../../src/library/lexicon-files.ts';
import { compileSafety } from '../../src/safety/compile.ts';
import { obfuscations } from '../../src/safety/obfuscation.fixture.ts';
import { createReplyFilter } from '../../src/safety/reply-filter.ts';
import { median, quantile, rounded } from './load.ts';

/** `npm run bench:safety`: what the filter finds, lets through, holds and costs, with the lexicons that ship. JSON. */
const root = join(import.meta.dirname, '../..');
const boundaries = [
  'self_harm',
  'violence',
  'sexual_content',
  'hate_speech',
  'real_radicalization',
  'drugs',
  'personal_data',
  'profanity',
];
const started = performance.now();
const { files, findings } = await readSafetyFiles(join(root, 'data'));
const readMs = performance.now() - started;
const compiled = compileSafety(files);
const buildMs = performance.now() - started - readMs;

type Flagged = { language: string; boundary: string; text: string };
const corpus = (name: string) =>
  readFileSync(join(root, 'test/fixtures/corpora', name), 'utf8')
    .trim()
    .split('\n');
const flagged = corpus('flagged.jsonl').map((line) => JSON.parse(line) as Flagged);
const clean = { en: corpus('clean-en.txt'), lt: corpus('clean-lt.txt') };
const traps = { en: corpus('traps-en.txt'), lt: corpus('traps-lt.txt') };

const open = (language: string) =>
  createReplyFilter(compiled, {
    boundaries,
    mode: 'dialogue',
    language,
    intensity: { ceiling: 5, exchangeNumber: 1 },
    toolNames: ['transition_phase'],
  });

/** Tokens as models make them: a word, or half of a long one, with the space before it. */
function tokens(text: string): string[] {
  return text.match(/\s*\S{1,5}/gu) ?? [];
}

/** Puts a text through a filter token by token. */
function run(text: string, language: string) {
  const filter = open(language);
  let out = '';
  let maximumHeld = 0;
  const held: number[] = [];
  let seen = 0;
  for (const token of tokens(text)) {
    out += filter.push(token);
    seen += token.length;
    held.push(seen - out.length);
    maximumHeld = Math.max(maximumHeld, seen - out.length);
  }
  out += filter.end();
  return { out, held, maximumHeld, violation: filter.violation };
}

const results = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
  automaton: {
    ...compiled.stats,
    lexicon_findings: findings.length,
    read_ms: rounded(readMs),
    build_ms: rounded(buildMs),
  },
  recall: recall(),
  leaks: leaks(),
  false_positives: falsePositives(),
  hold_back: holdBack(),
  cost: cost(),
  adversarial: adversarial(),
  baselines: baselines(),
};
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);

/** Share of flagged sentences that are withdrawn, each written in each obfuscation, and characters that leaked. */
function recall() {
  const pick = (() => {
    let state = 7;
    return (below: number) => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) % below;
  })();
  const by = (key: (case_: Flagged & { obfuscation: string }) => string) => {
    const counts = new Map<string, [caught: number, all: number]>();
    for (const { case_, caught } of cases) {
      const [hit, all] = counts.get(key(case_)) ?? [0, 0];
      counts.set(key(case_), [hit + (caught ? 1 : 0), all + 1]);
    }
    return Object.fromEntries([...counts].map(([name, [hit, all]]) => [name, rounded(hit / all)]));
  };
  // A sentence is obfuscated whole, as a model that was talked into it would write it.
  const cases = flagged.flatMap((each) =>
    Object.entries(obfuscations).map(([obfuscation, disguise]) => {
      const { violation } = run(disguise(each.text, pick), each.language);
      return { case_: { ...each, obfuscation }, caught: violation !== null };
    }),
  );
  const caught = cases.filter((each) => each.caught).length;
  return {
    sentences: flagged.length,
    cases: cases.length,
    all: rounded(caught / cases.length),
    by_obfuscation: by((case_) => case_.obfuscation),
    by_boundary_and_language: by((case_) => `${case_.boundary} ${case_.language}`),
  };
}

/** Letters and digits of a planted phrase that left before its reply was withdrawn, over every obfuscation. */
function leaks() {
  const before = 'So then, ';
  let planted = 0;
  let leaked = 0;
  for (const { text, language } of flagged) {
    const phrase = phraseIn(text, language);
    if (phrase === null) continue;
    for (const disguise of Object.values(obfuscations)) {
      const { out, violation } = run(`${before}${disguise(phrase, () => 1)}.`, language);
      if (violation === null) continue;
      planted += 1;
      const bare = out.slice(before.length).replace(/<[^>]*>?|&[#\w]*;?/gu, '');
      leaked += bare.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    }
  }
  return { planted_and_caught: planted, leaked_characters: leaked };
}

/** The shortest run of words in a sentence that is withdrawn on its own. */
function phraseIn(text: string, language: string): string | null {
  const words = text.split(' ');
  for (let length = 1; length <= words.length; length += 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const phrase = words
        .slice(from, from + length)
        .join(' ')
        .replace(/[.!?,]+$/u, '');
      if (run(phrase, language).violation !== null) return phrase;
    }
  }
  return null;
}

function falsePositives() {
  const count = (lines: readonly string[], language: string) => ({
    lines: lines.length,
    withdrawn: lines.filter((line) => run(line, language).violation !== null).length,
    altered: lines.filter((line) => run(line, language).out !== line).length,
  });
  return {
    clean_en: count(clean.en, 'en'),
    clean_lt: count(clean.lt, 'lt'),
    traps_en: count(traps.en, 'en'),
    traps_lt: count(traps.lt, 'lt'),
  };
}

/** Characters that wait after each token of clean text. */
function holdBack() {
  const of = (lines: readonly string[], language: string) => {
    const all = lines.flatMap((line) => run(line, language).held);
    return { p50: quantile(all, 0.5), p99: quantile(all, 0.99), max: Math.max(...all) };
  };
  return {
    clean_en: of(clean.en, 'en'),
    clean_lt: of(clean.lt, 'lt'),
    traps_en: of(traps.en, 'en'),
    traps_lt: of(traps.lt, 'lt'),
  };
}

/** Nanoseconds a character, everything live, the corpus as one long reply; medians. */
function cost() {
  const of = (lines: readonly string[], language: string) => {
    const pieces = tokens(lines.join(' '));
    const characters = pieces.reduce((sum, piece) => sum + piece.length, 0);
    return rounded(
      nanoseconds(() => {
        const filter = open(language);
        for (const piece of pieces) filter.push(piece);
        filter.end();
      }) / characters,
    );
  };
  return { ns_per_character_en: of(clean.en, 'en'), ns_per_character_lt: of(clean.lt, 'lt') };
}

/** The same for inputs made to be slow, 200,000 characters each, as a ratio to plain text of that length. */
function adversarial() {
  const length = 200_000;
  const inputs: Record<string, string> = {
    plain: clean.en.join(' '),
    spaced_letters: 'a ',
    zero_width: 'a\u200b\u200b\u200b\u200b',
    references: '&#',
    parentheses: '(',
    braces: '{"',
    one_word: 'k',
    almost: 'kill your ',
    digits: '8 6',
    at_signs: 'a@',
    marks: 'e\u0301\u0336',
  };
  const per = Object.fromEntries(
    Object.entries(inputs).map(([name, unit]) => {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      const pieces = text.match(/[\s\S]{1,5}/gu) ?? [];
      const took = nanoseconds(() => {
        const filter = open('en');
        for (const piece of pieces) filter.push(piece);
        filter.end();
      }, 3);
      return [name, took / length];
    }),
  );
  const plain = per['plain'] ?? Number.NaN;
  return Object.fromEntries(
    Object.entries(per).map(([name, value]) => [
      name,
      { ns_per_character: rounded(value), times_plain: rounded(value / plain) },
    ]),
  );
}

function nanoseconds(work: () => void, runs = 9): number {
  work();
  return median(
    Array.from({ length: runs }, () => {
      const from = performance.now();
      work();
      return (performance.now() - from) * 1e6;
    }),
  );
}

/** Two filters for finished text, on the profanity sentences in English alone, which is what they are for. */
function baselines() {
  const matcher = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });
  const sentences = flagged
    .filter((each) => each.boundary === 'profanity' && each.language === 'en')
    .map((each) => each.text);
  const reply = clean.en.join(' ').slice(0, 2_000);
  const pieces = tokens(reply);
  const measure = (finds: (text: string) => boolean) => ({
    profanity_recall_en: rounded(sentences.filter(finds).length / sentences.length),
    false_positives_traps_en: traps.en.filter(finds).length,
    false_positives_clean_en: clean.en.filter(finds).length,
    ns_per_character_once: rounded(nanoseconds(() => void finds(reply)) / reply.length),
    ns_per_character_rechecked_at_each_token: rounded(
      nanoseconds(() => {
        let sofar = '';
        for (const piece of pieces) finds((sofar += piece));
      }, 3) / reply.length,
    ),
  });
  const ours = measure((text) => run(text, 'en').violation !== null);
  const streamed = nanoseconds(() => {
    const filter = open('en');
    for (const piece of pieces) filter.push(piece);
    filter.end();
  });
  return {
    note: 'a reply of 2,000 characters; ours streams, the others see finished text',
    house: { ...ours, ns_per_character_rechecked_at_each_token: rounded(streamed / reply.length) },
    obscenity: measure((text) => matcher.hasMatch(text)),
    toad_profanity: measure((text) => profanity.exists(text)),
  };
}
