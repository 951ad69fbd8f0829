import { expect, test } from 'vitest';
import type { BriefPoint } from '../engine/ports/model.ts';
import { coverPoint, findQuote, hear, shorten } from './coverage.ts';
import { linesFor } from './offline-lines.ts';

const lt = linesFor('lt');
const en = linesFor('en');
const point = (description: string, technique: string | null = null): BriefPoint => ({
  id: 'p',
  description,
  isMandatory: true,
  technique,
  realWorld: null,
});
const urgency = point('Mokinys atpažįsta, kad pranešimas skubina veikti negalvojant', 'dirbtinis skubinimas');
const headline = point('The student notices that the headline promises more than the article delivers', 'clickbait');

test.each([
  ['inflected words', lt, urgency, 'Šiuo pranešimu mus skubino.'],
  [
    'words typed without diacritics, in capitals',
    lt,
    point('Pastebi baimę ir pyktį keliančią antraštę'),
    'ANTRASTE KELIA BAIME',
  ],
  ['the word that names the point and its technique', lt, urgency, 'Jie mane skubina'],
  ['the technique’s whole name', en, headline, 'It is clickbait.'],
  ['words spread over several messages', en, headline, 'A headline\nThe article is short'],
])('a point is covered by %s', (_, lines, wanted, said) => {
  expect(coverPoint(wanted, hear(said.split('\n'), lines), lines).isCovered).toBe(true);
});

test.each([
  ['nothing', lt, urgency, ''],
  ['one word of many', en, headline, 'That headline is funny.'],
  ['words that every description has', en, headline, 'The student notices more than that.'],
  ['words that only begin alike', en, headline, 'I have a headache and an artist to deliberate with.'],
  ['a single short word', lt, urgency, 'ne, ok, kad'],
])('a point is not covered by %s', (_, lines, wanted, said) => {
  expect(coverPoint(wanted, hear([said], lines), lines).isCovered).toBe(false);
});

test('what is missing is the lesson’s words, what was used is the student’s', () => {
  const coverage = coverPoint(headline, hear(['Such a HEADLINES thing, but the articles lie'], en), en);
  expect(coverage.used).toEqual(['headlines', 'articles']);
  expect(coverage.missing).toEqual(['promises', 'delivers']);
});

test('the quote is the sentence that is nearest to the point, on one line and short', () => {
  const said = ['Labas. Aš čia.', `Nežinau! Bet „pranešimas“ skubina\nmus veikti ${'labai '.repeat(30)}`];
  expect(findQuote(urgency, hear(said, lt), lt)).toBe('Bet pranešimas skubina');
  expect(findQuote(urgency, hear(['Labas.'], lt), lt)).toBeNull();
});

test('a long text is cut between words, and marks that would end a quotation are left out', () => {
  expect(shorten('one two three four', 9)).toBe('one two…');
  expect(shorten('one two', 7)).toBe('one two');
  expect(shorten('  a “b” <c>\n\n`d` *e*  ', 40)).toBe('a b c d e');
  expect(shorten('x'.repeat(50), 10)).toBe(`${'x'.repeat(10)}…`);
  expect(shorten(`${'x'.repeat(9)}🙂🙂`, 10)).toBe(`${'x'.repeat(9)}…`);
});
