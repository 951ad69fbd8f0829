import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChosenMemory } from './choose-memories.ts';
import { analyseContext, contextLevel } from './context-analysis.ts';
import { type MemoryItemType, memoryItemTypes } from './typed-memory.ts';

const chosen = (type: MemoryItemType, relevanceScore: number): ChosenMemory => ({
  item: { id: `${type}${relevanceScore}`, type, key: 'k', text: 't', at: 0 },
  relevanceScore,
});
const terms = (count: number) => Array.from({ length: count }, (_, index) => `term${index}`);
const scores = (memories: ChosenMemory[], count: number) => {
  const { context_score, completeness_score, confidence_score } = analyseContext(memories, terms(count));
  return [context_score, completeness_score, confidence_score];
};

describe('context analysis', () => {
  it("reckons the seed's example of the context score: 4.0 over 4 terms is 1", () => {
    expect(scores([chosen('context', 2.5), chosen('context', 1.5)], 4)[0]).toBe(1);
  });

  it("reckons the seed's example of completeness: errors and solutions are a half", () => {
    expect(scores([chosen('error', 1), chosen('error', 1), chosen('solution', 1)], 4)[1]).toBe(0.5);
  });

  it("reckons the seed's example of confidence: 0.8 and 0.5 make 0.68", () => {
    expect(scores([chosen('error', 2), chosen('solution', 1.2)], 4)).toEqual([0.8, 0.5, 0.68]);
  });

  it("reckons the seed's prompt: a context score of 1 and one type of four make 0.7, and ask for checks", () => {
    const ten = Array.from({ length: 10 }, () => chosen('context', 0.8));
    const analysis = analyseContext(ten, terms(8));
    expect(analysis).toMatchObject({ context_score: 1, completeness_score: 0.25, confidence_score: 0.7 });
    expect(analysis.suggested_actions).toEqual([
      'Go ahead, and have each step checked',
      'Look through what is remembered of this: 10 items',
    ]);
  });

  it("reckons the seed's example flow: 0.85 and two types make 0.71, and ask for checks", () => {
    const analysis = analyseContext([chosen('context', 5), chosen('error', 1.8)], terms(8));
    expect(analysis).toMatchObject({ context_score: 0.85, completeness_score: 0.5, confidence_score: 0.71 });
    expect(analysis.suggested_actions[0]).toBe('Go ahead, and have each step checked');
  });

  it('never has a context score above 1, though relevance by the seed has no bound', () => {
    expect(scores([chosen('error', 700)], 2)[0]).toBe(1);
  });

  it('takes messages for context, but not for completeness', () => {
    expect(scores([chosen('message', 2)], 4)).toEqual([0.5, 0, 0.3]);
  });

  it('scores nothing and asks for more where the message has no terms or nothing is remembered', () => {
    const nothing = {
      context_score: 0,
      completeness_score: 0,
      confidence_score: 0,
      suggested_actions: [
        'Ask what exactly happens, where and when, before offering a solution',
        'Find out what is not known yet: errors and their messages, solutions that worked, what the project is and how it is set up, what it depends on',
      ],
    };
    expect(analyseContext([], [])).toEqual(nothing);
    expect(analyseContext([], terms(5))).toEqual(nothing);
  });

  it('asks to gather what is missing alone, and nothing where nothing is', () => {
    const some = analyseContext([chosen('error', 0.3), chosen('solution', 0.3)], terms(4));
    expect(some.suggested_actions[1]).toBe(
      'Find out what is not known yet: what the project is and how it is set up, what it depends on',
    );
    const all = memoryItemTypes.map((type) => chosen(type, 0.01));
    expect(analyseContext(all, terms(4)).suggested_actions).toHaveLength(1);
  });

  it('goes ahead where the score is high and most kinds are known', () => {
    const three = [chosen('error', 2), chosen('solution', 2), chosen('dependency', 2)];
    expect(analyseContext(three, terms(6)).suggested_actions).toEqual([
      'Enough is known to carry it out: go ahead',
      'Take up what has worked before as it is; a short check is enough',
    ]);
  });

  it('advises in Lithuanian, with the number in its form', () => {
    const advice = (count: number) =>
      analyseContext(
        Array.from({ length: count }, () => chosen('context', 1)),
        terms(2 * count),
        'lt',
      ).suggested_actions[1];
    expect(advice(1)).toBe('Peržiūrėk, kas apie tai įsiminta: 1 įrašas');
    expect(advice(4)).toBe('Peržiūrėk, kas apie tai įsiminta: 4 įrašai');
    expect(advice(10)).toBe('Peržiūrėk, kas apie tai įsiminta: 10 įrašų');
    expect(analyseContext([], [], 'lt').suggested_actions).toEqual([
      'Prieš siūlydamas sprendimą paklausk, kas tiksliai vyksta, kur ir kada',
      'Išsiaiškink, ko dar nežinoma: klaidos ir jų pranešimai, pasiteisinę sprendimai, koks tai projektas ir kaip jis sutvarkytas, nuo ko jis priklauso',
    ]);
  });

  it('keeps every score within 0 and 1', () => {
    const memory = fc.tuple(fc.constantFrom(...memoryItemTypes), fc.double({ min: 0, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(fc.array(memory, { maxLength: 12 }), fc.nat(20), (all, count) => {
        const analysis = analyseContext(
          all.map(([type, score]) => chosen(type, score)),
          terms(count),
        );
        for (const score of [analysis.context_score, analysis.completeness_score, analysis.confidence_score]) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
        expect(analysis.suggested_actions.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the level of a context', () => {
  it.each([
    [0, 0, 'low'],
    [0.299999, 0.5, 'low'],
    [0.3, 0.18, 'medium'],
    [0.7, 0.82, 'medium'],
    [0.700001, 0.820001, 'high'],
    [0.9, 0.8, 'medium'],
    [0.9, 0.800001, 'high'],
    [1, 1, 'high'],
  ])('of a context score of %d and a confidence of %d is %s', (context, confidence, expected) => {
    expect(contextLevel(context, confidence)).toBe(expected);
  });

  it('is medium at 0.3 itself, however the sum came about', () => {
    const analysis = analyseContext([chosen('error', 0.1), chosen('error', 0.2), chosen('error', 0.6)], terms(3));
    expect(analysis.context_score).toBe(0.3);
    expect(analysis.suggested_actions[0]).toBe('Go ahead, and have each step checked');
  });
});
