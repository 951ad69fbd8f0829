import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './search-query.ts';
import { markSnippet } from './search-snippet.ts';

/** A snippet with its matches in brackets. */
function marked(text: string, asked: string): string {
  const snippet = markSnippet(text, parseQuery(asked));
  return snippet.matches.reduceRight(
    (shown, [start, end]) => `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`,
    snippet.text,
  );
}

const filler = 'Vakar ilgai kalbėjome apie visai kitus dalykus ir nieko ypatingo nenutiko. ';

describe('a snippet', () => {
  const short: [string, string, string, string][] = [
    ['marks every form of a word', 'Knyga, knygų ir KNYGOMS', 'knygą', '[Knyga], [knygų] ir [KNYGOMS]'],
    ['marks what was typed without marks', 'Žąsų pulkas', 'zasis', '[Žąsų] pulkas'],
    ['marks a phrase as one', 'A long division is long', '"long division"', 'A [long division] is long'],
    [
      'marks a phrase and the words beside it',
      'A long division is long',
      '"long division" long',
      'A [long division] is [long]',
    ],
    ['marks stop words only where they were asked for', 'To be or not to be', 'to be', '[To] [be] or not [to] [be]'],
    ['marks no stop word beside others', 'The volcano and the sea', 'the volcano', 'The [volcano] and the sea'],
    ['marks an emoji', 'Puiku🎉!', '🎉', 'Puiku[🎉]!'],
    ['shows a text without a match from its beginning', 'Nothing here', 'volcano', 'Nothing here'],
    ['does not mark what may not occur', 'Volcano and sea', 'volcano -sea', '[Volcano] and sea'],
    ['puts lines into one', '  One\n\tvolcano\n', 'volcano', 'One  [volcano]'],
    ['of nothing is nothing', '', 'volcano', ''],
  ];
  it.each(short)('%s', (_, text, asked, expected) => {
    expect(marked(text, asked)).toBe(expected);
  });

  it('is cut between words around the match', () => {
    const shown = marked(`${filler.repeat(5)}Ugnikalnis išsiveržė netikėtai. ${filler.repeat(5)}`, 'ugnikalnio');
    expect(shown).toMatch(/^…/);
    expect(shown).toMatch(/\S…$/);
    expect(shown).toContain('[Ugnikalnis] išsiveržė');
    const words = new Set(`${filler} Ugnikalnis išsiveržė netikėtai.`.split(' '));
    const cut = shown.replaceAll(/[[\]…]/g, '').split(' ');
    expect(cut.filter((word) => !words.has(word))).toEqual([]);
    expect(cut.length).toBeGreaterThan(12);
  });

  it('shows the place where most of what was asked for stands together', () => {
    const text = `Emma laughed. ${filler.repeat(4)}Emma built a volcano for science. ${filler.repeat(4)}Emma, Emma, Emma.`;
    expect(marked(text, 'emma volcano science')).toContain('[Emma] built a [volcano] for [science].');
  });

  it('has an ellipsis only where something was cut off', () => {
    expect(marked(`volcano ${filler.repeat(9)}`, 'volcano')).toMatch(/^\[volcano\] .*…$/);
    expect(marked(`${filler.repeat(9)}volcano`, 'volcano')).toMatch(/^….*\[volcano\]$/);
  });

  it('of a text without blanks is cut outside of surrogate pairs', () => {
    for (const lead of ['', 'x']) {
      const { text } = markSnippet(`${lead}${'🎉'.repeat(300)}volcano${'🌋'.repeat(300)}`, parseQuery('volcano'));
      expect(text.isWellFormed()).toBe(true);
      expect(text).toContain('volcano');
      expect(text.length).toBeLessThanOrEqual(164);
    }
  });

  it('is short, well-formed and marks words of its own, whatever the text', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('volcano', ' ', ' volcanoes ', '🎉', '\n', 'x'.repeat(200), filler, '"'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const whole = parts.join('').toWellFormed();
        const { text, matches } = markSnippet(whole, parseQuery('volcano "ilgai kalbėjome"'));
        expect(text.isWellFormed()).toBe(true);
        expect(text.length).toBeLessThanOrEqual(164);
        let last = 0;
        for (const [start, end] of matches) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(text.slice(start, end)).toMatch(/^(volcan|ilgai\s+kalbėjome)/i);
          last = end;
        }
        if (/(?<![\p{L}\p{N}\p{M}])volcano(?![\p{L}\p{N}\p{M}\u00AD\u200B-\u200D\u2060])/u.test(whole)) {
          expect(matches.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('of a long text is made in a bounded time', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `volcano žodis${index}`).join(' ');
    const before = performance.now();
    markSnippet(text, parseQuery('volcano žodis'));
    expect(performance.now() - before).toBeLessThan(500);
  });
});
