import { stemmer } from '@orama/stemmers/lithuanian';
import { describe, expect, it } from 'vitest';
import { insightTerms, isNewInsight } from './insights.ts';

const english = (text: string) => insightTerms(text, 'en');
const lithuanian = (text: string) => insightTerms(text, 'lt', stemmer);

describe('an insight', () => {
  const known = [english('The session token expires before the refresh request is sent')];

  it('is new where it is about something else', () => {
    expect(isNewInsight(english('Passwords are stored without salt'), known)).toBe(true);
    expect(isNewInsight(english('Anything at all'), [])).toBe(true);
  });

  it('repeats what was said in another order, in part, or with a little around it', () => {
    for (const text of [
      'Before the refresh request is sent, the session token expires.',
      'The session token expires',
      'As we saw, the session token expires before refresh',
    ]) {
      expect(isNewInsight(english(text), known)).toBe(false);
    }
  });

  it('is new where it says more of the same thing', () => {
    const more = english('The token expires early since two servers disagree about daylight saving');
    expect(isNewInsight(more, known)).toBe(true);
  });

  it('repeats at 60 % of its terms in one known insight, and not below', () => {
    const earlier = [['one', 'two', 'three']];
    expect(isNewInsight(['one', 'two', 'three', 'four', 'five'], earlier)).toBe(false);
    expect(isNewInsight(['one', 'two', 'six', 'four', 'five'], earlier)).toBe(true);
  });

  it('repeats where it is put together from several known ones, at 80 %', () => {
    const earlier = [
      ['one', 'two'],
      ['three', 'four'],
    ];
    expect(isNewInsight(['one', 'two', 'three', 'four', 'five'], earlier)).toBe(false);
    expect(isNewInsight(['one', 'two', 'three', 'six', 'five'], earlier)).toBe(true);
  });

  it('says nothing without terms', () => {
    for (const text of ['', 'ok', '🎉', 'it is so']) expect(isNewInsight(english(text), [])).toBe(false);
  });

  it('repeats in Lithuanian in whatever form its words stand', () => {
    const earlier = [lithuanian('Seanso žetonas baigia galioti per anksti')];
    expect(isNewInsight(lithuanian('Per anksti baigia galioti seansų žetonai'), earlier)).toBe(false);
    expect(isNewInsight(lithuanian('Duomenų bazėje trūksta indekso'), earlier)).toBe(true);
  });

  it('is known by 24 terms at most', () => {
    expect(english(Array.from({ length: 90 }, (_, index) => `word${index}`).join(' '))).toHaveLength(24);
  });
});
