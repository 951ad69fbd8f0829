import { describe, expect, it } from 'vitest';
import { analyseText, stemsOf, wordsOf } from './search-text.ts';

const words = (text: string) => analyseText(text).words;
const share = (one: string, other: string) => {
  const stems = stemsOf(one);
  return stemsOf(other).some((stem) => stems.includes(stem));
};

describe('the words of a text', () => {
  const texts: [string, string, string][] = [
    ['folds case and marks', 'Žąsų MOKYKLĄ Šešėlis', 'zasu mokykla seselis'],
    ['folds composed and decomposed letters alike', 'mokykla\u0328 s\u030Ce\u0307', 'mokykla se'],
    ['folds strokes and ligatures', 'Łódź Straße Ærø', 'lodz strasse aero'],
    ['folds a Turkish dotted I', 'İstanbul', 'istanbul'],
    ['cuts at everything that is no letter or digit', "don't e-mail a.b 3,5 7b_x", 'don t e mail a b 3 5 7b x'],
    ['joins what a soft hyphen or a zero-width space cuts', 'mo\u00ADkyk\u200Bla', 'mokykla'],
    ['takes each emoji as a word, whatever its colour', 'puiku🎉👍🏽 ok👨‍👩‍👧', 'puiku 🎉 👍 ok 👨 👩 👧'],
    ['reads full-width letters and fractions', 'Ｖｏｌｃａｎｏ ½', 'volcano 12'],
    ['keeps other scripts', 'Привет, Κόσμε', 'привет κοσμε'],
    ['leaves lone surrogates and controls out', 'a\u{D800}b\0c', 'a b c'],
    ['of nothing are nothing', ' \n-–…', ''],
  ];
  it.each(texts)('%s', (_, text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('stand where they are told to', () => {
    const text = '🎉 „Žąsų“ mo\u00ADkykla';
    expect([...wordsOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual(['🎉', 'Žąsų', 'mo\u00ADkykla']);
  });

  it('of a long text are bounded, and so is a long word, alike wherever it stands', () => {
    const many = analyseText('žodis '.repeat(100_000));
    expect(many.words.split(' ')).toHaveLength(4_000);
    expect(words('x'.repeat(100_000))).toBe('x'.repeat(40));
    expect(words(`${'x'.repeat(39)}𝒳y`).isWellFormed()).toBe(true);
    expect(words('𠀀'.repeat(50)).isWellFormed()).toBe(true);
    expect(words(`${'š'.repeat(300)}`)).toBe('s'.repeat(40));
  });
});

describe('the stems of a word', () => {
  const pairs: [string, string][] = [
    ['mokytoja', 'mokytojos'],
    ['mokytoja', 'mokytojai'],
    ['mokytojas', 'mokytojų'],
    ['knyga', 'knygų'],
    ['knygą', 'knygomis'],
    ['skaitymas', 'skaitymo'],
    ['skaito', 'skaitė'],
    ['mokykla', 'mokyklą'],
    ['mokyklų', 'mokyklu'],
    ['žąsis', 'zasu'],
    ['medžių', 'medziu'],
    ['trupmenos', 'trupmenomis'],
    ['reading', 'reads'],
    ['running', 'run'],
    ['studies', 'study'],
  ];
  it.each(pairs)('are shared by %s and %s', (one, other) => {
    expect(share(one, other)).toBe(true);
  });

  it('are not shared by words that have nothing to do with each other', () => {
    for (const [one, other] of [
      ['mokykla', 'knyga'],
      ['reading', 'writing'],
      ['namai', 'nomai'],
    ])
      expect(share(one ?? '', other ?? '')).toBe(false);
  });

  it('are those of the language where it is known, and else of both', () => {
    expect(analyseText('running', 'en').stems).toBe('run');
    expect(analyseText('running', 'en-GB').stems).toBe('run');
    expect(analyseText('knygų', 'lt').stems).toBe('knyg');
    expect(analyseText('running').stems.split(' ')).toEqual(expect.arrayContaining(['run', 'runn']));
    expect(analyseText('running', 'de').stems).toBe(analyseText('running').stems);
  });

  it('are none for stop words, which stay among the words', () => {
    expect(analyseText('The volcano ir jo knygos')).toMatchObject({ words: 'the volcano ir jo knygos' });
    expect(analyseText('the ir jo to be')).toEqual({ words: 'the ir jo to be', stems: '' });
  });

  it('are never empty nor hold a blank, whatever the word', () => {
    for (const word of ['s', 'as', 'ų', '🎉', '7', 'ﷺ', '㍿', 'constructor', '__proto__', 'y'.repeat(40)]) {
      for (const { spelling } of wordsOf(word)) {
        for (const stem of stemsOf(spelling)) expect(stem, word).toMatch(/^[^\s"]+$/);
      }
    }
  });

  it('of a long text are found in a bounded time', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `žodelis${index}ų`).join(' ');
    const before = performance.now();
    analyseText(text);
    expect(performance.now() - before).toBeLessThan(500);
  });
});
