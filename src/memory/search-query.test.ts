import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctQuery, isEmptyQuery, parseQuery, wantedWords } from './search-query.ts';

/** A query as text again, in one normal form. */
function shown(text: string): string {
  const { must, phrases, not, notPhrases } = parseQuery(text);
  return [
    ...must.map(({ word, stems }) => (stems.length > 0 ? word : `=${word}`)),
    ...phrases.map((words) => `"${words.join(' ')}"`),
    ...not.map(({ word }) => `-${word}`),
    ...notPhrases.map((words) => `-"${words.join(' ')}"`),
  ].join(' ');
}

describe('a query', () => {
  const queries: [string, string][] = [
    ['Mokytoja knygų', 'mokytoja knygu'],
    ['volcano Volcano VOLCANO', 'volcano'],
    ['"long division" work', 'work "long division"'],
    ['„ilgoji dalyba“ «dvi kabutės» “long one”', '"ilgoji dalyba" "dvi kabutes" "long one"'],
    ['"volcano"', '"volcano"'],
    ['volcano -liam', 'volcano -liam'],
    ['volcano -"long division" -„Dvi“', 'volcano -"long division" -"dvi"'],
    ['volcano --liam', 'volcano -liam'],
    ['volcano -e-mail', 'volcano -"e mail"'],
    ['e-mail volcano - liam', 'e mail volcano liam'],
    ['the volcano of Emma', 'volcano emma'],
    ['to be', '=to =be'],
    ['"to be" or volcano', 'volcano "to be"'],
    ['the -volcano', '=the -volcano'],
    ['volcano -the', 'volcano -the'],
    ['"long division', 'long division'],
    ['long" division', 'long division'],
    ['a AND b OR NOT c', 'b c'],
    ['vol* NEAR(x y, 5) col:x ^z {w} : q', 'vol near x y 5 col z w q'],
    ['\\"\'; DROP TABLE x;--', 'drop table x'],
    ['🎉', '🎉'],
    ['', ''],
    ['" " "" - -- "-" …', ''],
  ];
  it.each(queries)('reads %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('asks for nothing where only what may not occur is named', () => {
    expect(isEmptyQuery(parseQuery('-volcano -"long division"'))).toBe(true);
    expect(isEmptyQuery(parseQuery(''))).toBe(true);
    expect(isEmptyQuery(parseQuery('the'))).toBe(false);
  });

  it('is bounded in everything, however long', () => {
    const long = Array.from({ length: 2_000 }, (_, index) => `w${index} -n${index} "p${index} q" -"r${index} s"`).join(
      ' ',
    );
    for (const text of [
      long,
      'x '.repeat(5_000),
      '"a b" '.repeat(2_000),
      `"${'w '.repeat(5_000)}"`,
      '"'.repeat(10_000),
    ]) {
      const { must, phrases, not, notPhrases } = parseQuery(text);
      expect([must.length, not.length].every((length) => length <= 16)).toBe(true);
      expect([...phrases, ...notPhrases].every((words) => words.length <= 16)).toBe(true);
      expect(Math.max(phrases.length, notPhrases.length)).toBeLessThanOrEqual(8);
    }
  });

  it('holds only words that an index can hold, whatever is typed', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('"', '-', ' ', '„', '“', 'AND', '*', ':', '\0', '\u{D800}', 'žąsis', '('),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { must, phrases, not, notPhrases } = parseQuery(parts.join(''));
        const words = [...must, ...not].flatMap(({ word, stems }) => [word, ...stems]);
        for (const word of [...words, ...phrases.flat(), ...notPhrases.flat()])
          expect(word).toMatch(/^[\p{L}\p{N}\p{Extended_Pictographic}]+$/u);
        expect(phrases.every((phrase) => phrase.length > 0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a correction', () => {
  it('takes the place of the word, in phrases too, and is stemmed as it is', () => {
    const query = correctQuery(parseQuery('knygu volcanp "volcanp model" -volcanp'), [
      { from: 'volcanp', to: 'volcanoes' },
    ]);
    expect(query).toMatchObject({
      must: [{ word: 'knygu' }, { word: 'volcanoes', stems: parseQuery('volcanoes').must[0]?.stems }],
      phrases: [['volcanoes', 'model']],
      not: [{ word: 'volcanp' }],
    });
  });

  it('may be of every word that must occur', () => {
    expect(wantedWords(parseQuery('one "two three" -four')).map(({ word }) => word)).toEqual(['one', 'two', 'three']);
  });
});
