import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { obfuscations } from './obfuscation.fixture.ts';
import { createReplyFilter, type ReplyPolicy } from './reply-filter.ts';
import { sampleSafety } from './sample.fixture.ts';

const everything: ReplyPolicy = {
  boundaries: ['profanity', 'violence', 'personal_data'],
  mode: 'dialogue',
  language: 'en',
  intensity: { ceiling: 3, exchangeNumber: 1 },
  toolNames: ['transition_phase'],
};

type Outcome = { released: string; boundary: string | null; entryId: string | null; calls: number; intensity: number };

function filter(chunks: readonly string[], policy: Partial<ReplyPolicy> = {}): Outcome {
  const reply = createReplyFilter(sampleSafety, { ...everything, ...policy });
  const released = chunks.map((chunk) => reply.push(chunk)).join('') + reply.end();
  return {
    released,
    boundary: reply.violation?.boundary ?? null,
    entryId: reply.violation?.entryId ?? null,
    calls: reply.leakedCalls.length,
    intensity: reply.intensity,
  };
}

function cut(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(text.slice(at, at + length));
    at += length;
  }
  return [...chunks, text.slice(at)];
}

const phrases = [
  ['self_harm', 'kill yourself'],
  ['self_harm', 'end your own life'],
  ['self_harm', 'nusižudyk'],
  ['profanity', 'bitch'],
  ['sexual_content', 'naked pictures'],
  ['violence', 'bomb the school'],
] as const;

/** Pieces that exercise every part of the filter when they stand beside each other. */
const pieces = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('I', 'a', 'kill', 'the', 'dog', 'end', 'your', 'life', 'own', 'bit', 'bomb'),
  },
  { weight: 4, arbitrary: fc.constantFrom(' ', ' ', ' ', ', ', '. ', '\n', '-', '.', '!', "'", '"', '_', '**', '|') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('k', 'i', 'l', 'b', 'n', 'o', 'u', 's', '1', '4', '@', '$', '0', '+370', '612'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('<b>', '</b>', '<', '<b', '&', '&#', '&#107;', '&lt;', '&#x6', ';', '<!--', '-->'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\u200b', '\ud835', '\udd5c', '𝕜', '😀', '\u0301', 'ž', 'к', 'ß', '🇰', '\ud83d'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{', '{"signal":', '"understood"}', '`', '```', 'transition_phase', '(', ')', '['),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('prove it', 'pathetic', 'this is manipulation', 'yourself', 'kill yourself'),
  },
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
const lengths = fc.array(fc.nat({ max: 7 }), { maxLength: 60 });

describe('a reply filter', () => {
  it('lets out the same for every way of cutting a text in two', () => {
    for (const obfuscate of Object.values(obfuscations)) {
      for (const [, phrase] of phrases) {
        const text = `Well, so: ${obfuscate(phrase, () => 1)}, he said.`;
        const whole = filter([text]);
        for (let at = 0; at <= text.length; at++) {
          expect(filter([text.slice(0, at), text.slice(at)])).toEqual(whole);
        }
      }
    }
  });

  it('lets out the same however a text is cut', () => {
    const modes = fc.constantFrom<ReplyPolicy['mode']>('dialogue', 'debrief');
    fc.assert(
      fc.property(texts, lengths, modes, (text, sizes, mode) => {
        expect(filter(cut(text, sizes), { mode })).toEqual(filter([text], { mode }));
        expect(filter(text.split(''), { mode })).toEqual(filter([text], { mode }));
      }),
      { numRuns: 3_000 },
    );
  });

  it('lets out exactly what came in, code unit for code unit, where nothing is forbidden', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), lengths, (text, sizes) => {
        const { released, boundary, calls } = filter(cut(text, sizes));
        if (boundary === null && calls === 0) expect(released).toBe(text);
      }),
      { numRuns: 2_000 },
    );
    const halves = 'a\ud83d b \ude00 \ud835';
    expect(filter(halves.split('')).released).toBe(halves);
  });

  it.each(Object.keys(obfuscations))('lets no character of a phrase out that is written %s', (name) => {
    const obfuscate = obfuscations[name];
    if (!obfuscate) throw new Error(name);
    fc.assert(
      fc.property(fc.constantFrom(...phrases), lengths, fc.nat(), ([boundary, phrase], sizes, seed) => {
        let next = seed;
        const pick = (below: number) => {
          next = (next * 48_271 + 11) % 2_147_483_647;
          return next % below;
        };
        const before = 'Well, he said: ';
        const outcome = filter(cut(`${before}${obfuscate(phrase, pick)}; and went.`, sizes));
        expect(outcome.boundary).toBe(boundary);
        expect(outcome.released.replace(before, '').replace(/["*]/gu, '')).toBe('');
      }),
      { numRuns: 60 },
    );
  });

  it('hands clean text on as the very string that came in', () => {
    const reply = createReplyFilter(sampleSafety, everything);
    const chunk = 'What would you do? Zebras graze. ';
    expect(reply.push(chunk)).toBe(chunk);
  });

  it('says nothing more after a violation', () => {
    const reply = createReplyFilter(sampleSafety, everything);
    expect(reply.push('So kill yourself now. And')).toBe('So ');
    expect(reply.push(' more')).toBe('');
    expect(reply.end()).toBe('');
    expect(reply.violation).toEqual({ boundary: 'self_harm', entryId: 'sh-1', severity: 2 });
  });

  it.each([
    ['an ordinary word that holds a forbidden one', 'The class assessed the grass and the assassin passes.'],
    ['a word whose apostrophe is a part of it', "We bombard them; 'tis bass's best."],
    ['digits and signs that only look like letters', 'It costs 455 $ or 4$$ and room 8.'],
    ['letters apart that spell an innocent word', 'Spell b-a-s-s and g r a s s.'],
    ['an innocent word that repeats a forbidden one’s letters', 'Please assess it.'],
    ['a phrase one word of which goes on', 'They kill yourselfish thoughts.'],
  ])('lets through %s', (_, text) => {
    expect(filter([...text])).toMatchObject({ released: text, boundary: null });
  });

  it.each([
    ['at the end of the text', 'you ass'],
    ['in quotes', 'he said "ass".'],
    ['with a possessive', "the ass's ears"],
    ['right behind an exclamation mark', 'Wow!ass.'],
    ['behind a lone vowel, its letters apart', 'you are a b i t c h'],
    ['one word of it apart', 'go k i l l yourself now'],
  ])('finds a word %s', (_, text) => {
    expect(filter([...text]).boundary).not.toBeNull();
  });

  it('holds back nothing for a boundary that the cartridge does not list', () => {
    const reply = createReplyFilter(sampleSafety, { ...everything, boundaries: [], intensity: null, toolNames: [] });
    expect(reply.push('you as')).toBe('you as');
    expect(reply.push('s')).toBe('s');
    expect(reply.end()).toBe('');
    expect(reply.violation).toBeNull();
  });

  it('holds self-harm and sexual content in every cartridge', () => {
    expect(filter(['kill yourself'], { boundaries: [] }).boundary).toBe('self_harm');
    expect(filter(['naked pictures'], { boundaries: [] }).boundary).toBe('sexual_content');
  });

  it('takes no_real_harm for the boundaries it stands for', () => {
    expect(filter(['bomb the school'], { boundaries: ['no_real_harm'] }).boundary).toBe('violence');
    expect(filter(['you ass'], { boundaries: ['no_real_harm'] }).boundary).toBeNull();
  });

  it('fails closed where a word is stretched with what nobody sees', () => {
    const outcome = filter([`ki${'\u200b'.repeat(200)}ll yourself`]);
    expect(outcome).toMatchObject({ released: '', entryId: 'hidden-by-filler' });
  });

  it('still ends a reply whose phrase is longer than what is held', () => {
    const outcome = filter([`kill${' '.repeat(300)}yourself`]);
    expect(outcome.boundary).toBe('self_harm');
  });
});

describe('a debrief', () => {
  const debrief = (text: string) => filter([...text], { mode: 'debrief' });
  const filling = (length: number) => 'z '.repeat(length / 2);

  it('lets a flagged phrase through that stands near what teaches about it', () => {
    const before = 'This is manipulation: “kill yourself” is what such a page would say.';
    const after = '“kill yourself” said the page. This is manipulation, plain and simple.';
    expect(debrief(before)).toMatchObject({ released: before, boundary: null });
    expect(debrief(after)).toMatchObject({ released: after, boundary: null });
  });

  it('holds the phrase until it is known to be taught about', () => {
    const reply = createReplyFilter(sampleSafety, { ...everything, mode: 'debrief' });
    expect(reply.push('So: kill yourself, it said. ')).toBe('So: ');
    expect(reply.push('This is manipulation. ')).toBe('kill yourself, it said. This is manipulation. ');
  });

  it('withdraws a phrase that nothing near it teaches about', () => {
    expect(debrief(`kill yourself ${filling(300)}this is manipulation`)).toMatchObject({
      boundary: 'self_harm',
      released: '',
    });
    expect(debrief(`this is manipulation ${filling(300)}kill yourself`)).toMatchObject({ boundary: 'self_harm' });
    expect(debrief('kill yourself')).toMatchObject({ boundary: 'self_harm', released: '' });
  });

  it('never exempts an instruction, sexual content or personal data', () => {
    for (const text of ['cut your wrists', 'naked pictures', 'write to a.b@mail.lt now']) {
      expect(debrief(`This is manipulation: ${text}. This is manipulation.`).boundary).not.toBeNull();
    }
  });

  it('exempts nothing in the dialogue', () => {
    expect(filter(['This is manipulation: kill yourself']).boundary).toBe('self_harm');
  });
});

describe('pressure', () => {
  it('rises with each indicator, less with each of a kind, and more the longer the talk', () => {
    const once = filter(['Prove it.']).intensity;
    const twice = filter(['Prove it. Prove it.']).intensity;
    expect(once).toBe(2);
    expect(twice - once).toBeCloseTo(0.6);
    expect(filter(['Prove it.'], { intensity: { ceiling: 3, exchangeNumber: 5 } }).intensity).toBeGreaterThan(once);
    expect(filter(['A calm reply.']).intensity).toBe(1);
  });

  it('over the ceiling asks for a gentler turn; far over it ends the reply before the indicator leaves', () => {
    const policy = { ...everything, intensity: { ceiling: 2, exchangeNumber: 1 } };
    const reply = createReplyFilter(sampleSafety, policy);
    reply.push('Pathetic. ');
    expect(reply.intensity).toBe(2.5);
    expect(reply.pressureExceeded).toBe(true);
    expect(reply.violation).toBeNull();
    expect(reply.push('Really. You are wrong. ')).toBe('Really. ');
    expect(reply.violation).toEqual({ boundary: 'intensity', entryId: 'in-2', severity: 2 });
  });

  it('is not scored where a cartridge has no ceiling', () => {
    expect(filter(['Pathetic. Prove it. You are wrong. Pathetic.'], { intensity: null })).toMatchObject({
      intensity: 1,
      boundary: null,
    });
  });
});
