import { cpus } from 'node:os';
import { join } from 'node:path';
import { Profanity } from '@2toad/profanity';
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import { seededRandom } from '../../src/core/random.ts';
import { readSafetyFiles } from '../../src/library/lexicon-files.ts';
import { compileSafety } from '../../src/safety/compile.ts';
import { createReplyFilter, type ReplyPolicy } from '../../src/safety/reply-filter.ts';
import { after, before, type Case, corpus, makeCases } from './safety-cases.ts';

/** `npm run bench:safety`: prints JSON. Everything is live, as in the strictest lesson. */
const tokenLength = 4;
const longReply = 200_000;
const ordinaryReply = 8_000;
const { files, findings } = await readSafetyFiles(join(import.meta.dirname, '../../data'));
if (findings.length > 0) throw new Error(JSON.stringify(findings));
const safety = compileSafety(files);
if (safety.problems.length > 0) throw new Error(safety.problems.join('\n'));
const boundaries = [...new Set([...safety.boundaries, 'personal_data'])];

const policyFor = (language: string): ReplyPolicy => ({
  boundaries,
  mode: 'dialogue',
  language,
  intensity: { ceiling: 3, exchangeNumber: 3 },
  toolNames: ['transition_phase'],
});

const matcher = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });
const words = new Profanity({ languages: ['en'], wholeWord: true });
const baselines = {
  obscenity: (text: string) => matcher.hasMatch(text),
  '@2toad/profanity': (text: string) => words.exists(text),
};

const corpora = {
  en: { clean: await corpus('clean-en.txt'), traps: await corpus('traps-en.txt') },
  lt: { clean: await corpus('clean-lt.txt'), traps: await corpus('traps-lt.txt') },
};
const flagged = (await corpus('flagged.jsonl')).map((line): { language: string; boundary: string; text: string } =>
  JSON.parse(line),
);
const cases = makeCases(files);

process.stdout.write(
  `${JSON.stringify(
    {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      automaton: { ...safety.stats, build_ms: buildTime() },
      streaming_equals_one_shot: sameHoweverCut(),
      recall: recall(),
      flagged_sentences: flaggedSentences(),
      false_positives: falsePositives(),
      held_characters: { a_character_at_a_time: held(1), a_token_at_a_time: held(tokenLength) },
      nanoseconds_a_character: speed(),
      whole_reply: wholeReply(),
    },
    null,
    2,
  )}\n`,
);

function buildTime(): number {
  const times = Array.from({ length: 5 }, () => timed(() => compileSafety(files)));
  return Math.round(median(times));
}

function filterText(text: string, language: string, chunk = text.length) {
  const reply = createReplyFilter(safety, policyFor(language));
  let released = '';
  for (let at = 0; at < text.length; at += chunk) released += reply.push(text.slice(at, at + chunk));
  released += reply.end();
  return { released, violation: reply.violation };
}

/** Two-way splits and random cuts of generated cases, whole and in pieces. */
function sameHoweverCut() {
  const random = seededRandom(11);
  const outcome = ({ released, violation }: ReturnType<typeof filterText>) => JSON.stringify([released, violation]);
  let cuts = 0;
  let different = 0;
  for (const { language, written } of cases.filter((_, index) => index % 29 === 0)) {
    const text = before + written + after;
    const whole = outcome(filterText(text, language));
    for (let at = 1; at < text.length; at++) {
      const reply = createReplyFilter(safety, policyFor(language));
      const released = reply.push(text.slice(0, at)) + reply.push(text.slice(at)) + reply.end();
      cuts++;
      if (outcome({ released, violation: reply.violation }) !== whole) different++;
    }
    for (let times = 0; times < 3; times++) {
      cuts++;
      if (outcome(filterText(text, language, 1 + Math.floor(random.fraction() * 6))) !== whole) different++;
    }
  }
  return { cuts, different };
}

/** Caught cases by obfuscation, boundary and language; and what of the caught ones was shown before. */
function recall() {
  const result = { cases: 0, innocent_when_folded: 0, caught: 0, leaked_characters: 0 };
  const tallies = { obfuscation: new Map<string, Tally>(), boundary: new Map<string, Tally>() };
  const innocent = new Map<Case['plain'], boolean>();
  for (const one of cases) {
    const language = one.language === 'xx' ? 'en' : one.language;
    const known = innocent.get(one.plain) ?? filterText(before + one.plain + after, language).violation === null;
    innocent.set(one.plain, known);
    result.cases++;
    if (known) {
      result.innocent_when_folded++;
      continue;
    }
    const { released, violation } = filterText(before + one.written + after, language, tokenLength);
    count(tallies.obfuscation, one.obfuscation, violation !== null);
    count(tallies.boundary, `${one.boundary} ${one.language}`, violation !== null);
    if (violation === null) continue;
    result.caught++;
    // What stands around a word without being read as part of it ("quotes", **markup**) may leave before it.
    result.leaked_characters += released.slice(before.length).replace(/[^\p{L}\p{N}]/gu, '').length;
  }
  return { ...result, by_obfuscation: shares(tallies.obfuscation), by_boundary: shares(tallies.boundary) };
}

type Tally = { caught: number; of: number };

function count(tallies: Map<string, Tally>, key: string, caught: boolean): void {
  const tally = tallies.get(key) ?? { caught: 0, of: 0 };
  tallies.set(key, { caught: tally.caught + (caught ? 1 : 0), of: tally.of + 1 });
}

function shares(tallies: ReadonlyMap<string, Tally>) {
  return Object.fromEntries([...tallies].map(([key, { caught, of }]) => [key, rounded(caught / of, 3)]));
}

/** Sentences written by hand. The baselines know English profanity alone, so they are asked of that alone. */
function flaggedSentences() {
  const caught = flagged.filter(({ language, boundary, text }) => {
    return filterText(text, language, tokenLength).violation?.boundary === boundary;
  });
  const crude = flagged.filter(({ language, boundary }) => language === 'en' && boundary === 'profanity');
  const others = Object.entries(baselines).map(([name, matches]) => {
    return [name, crude.filter(({ text }) => matches(text)).length] as const;
  });
  const ours = caught.filter(({ language, boundary }) => language === 'en' && boundary === 'profanity').length;
  return {
    trickster: { caught: caught.length, of: flagged.length },
    english_profanity: { of: crude.length, trickster: ours, ...Object.fromEntries(others) },
  };
}

function falsePositives() {
  return Object.fromEntries(
    Object.entries(corpora).flatMap(([language, lists]) =>
      Object.entries(lists).map(([list, lines]) => {
        const ours = lines.filter((line) => filterText(line, language, tokenLength).released !== line).length;
        const others = Object.entries(baselines).map(
          ([name, matches]) => [name, lines.filter(matches).length] as const,
        );
        return [`${list}_${language}`, { of: lines.length, trickster: ours, ...Object.fromEntries(others) }];
      }),
    ),
  );
}

/** Characters that came in and had not left, after each chunk of clean prose. */
function held(chunk: number) {
  return Object.fromEntries(
    Object.entries(corpora).map(([language, { clean }]) => {
      const lengths: number[] = [];
      for (const line of clean) {
        const reply = createReplyFilter(safety, policyFor(language));
        let left = 0;
        for (let at = 0; at < line.length; at += chunk) {
          left += reply.push(line.slice(at, at + chunk)).length;
          lengths.push(Math.min(at + chunk, line.length) - left);
        }
      }
      lengths.sort((a, b) => a - b);
      const at = (share: number) => lengths[Math.min(Math.floor(lengths.length * share), lengths.length - 1)];
      const mean = rounded(lengths.reduce((sum, length) => sum + length, 0) / lengths.length, 2);
      return [language, { mean, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }];
    }),
  );
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** The best of several runs each, all boundaries live; the hostile ones also as a multiple of plain English. */
function speed() {
  const cost = (text: string, language: string) => {
    const tokens = text.match(new RegExp(`[^]{1,${tokenLength}}`, 'gu')) ?? [];
    const run = () => {
      const reply = createReplyFilter(safety, policyFor(language));
      for (const token of tokens) reply.push(token);
      reply.end();
    };
    return Math.min(...[1, 2, 3].map(() => timed(run))) * (1e6 / text.length);
  };
  const english = repeated(`${corpora.en.clean.join(' ')} `, longReply);
  const lithuanian = repeated(`${corpora.lt.clean.join(' ')} `, longReply);
  for (let warming = 0; warming < 3; warming++) cost(lithuanian, 'lt');
  const plain = cost(english, 'en');
  const hostile = {
    letters_apart: 'a ',
    zero_width: '\u200b',
    zero_width_in_words: 'word\u200b\u200b ',
    references: '&#',
    brackets: '(',
    one_long_word: 'a',
    signs: '$!@',
    phrases_begun: 'kill your ',
    half_tags: '<b ',
  };
  return {
    prose_en: rounded(plain, 1),
    prose_lt: rounded(cost(lithuanian, 'lt'), 1),
    hostile: Object.fromEntries(
      Object.entries(hostile).map(([name, unit]) => {
        const each = cost(repeated(unit, longReply), 'en');
        return [name, { ns: rounded(each, 1), times_plain: rounded(each / plain, 1) }];
      }),
    ),
  };
}

/** Milliseconds for one clean reply that arrives token by token. */
function wholeReply() {
  const text = repeated(`${corpora.en.clean.join(' ')} `, ordinaryReply);
  const others = Object.entries(baselines).map(([name, matches]) => {
    const finished = median([1, 2, 3].map(() => timed(() => matches(text))));
    const rechecked = timed(() => {
      for (let at = tokenLength; at <= text.length; at += tokenLength) matches(text.slice(0, at));
    });
    return [
      name,
      { finished_text_ms: rounded(finished, 3), rechecked_at_each_token_ms: rounded(rechecked, 0) },
    ] as const;
  });
  const ours = median([1, 2, 3, 4, 5].map(() => timed(() => filterText(text, 'en', tokenLength))));
  return { characters: ordinaryReply, trickster_ms: rounded(ours, 3), ...Object.fromEntries(others) };
}

/** Milliseconds that a run keeps this thread busy, so that whoever shares the machine does not count; short ones repeat. */
function timed(run: () => unknown): number {
  const started = process.threadCpuUsage();
  const busy = () => {
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1_000;
  };
  let times = 0;
  do {
    run();
    times++;
  } while (busy() < 50);
  return busy() / times;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
