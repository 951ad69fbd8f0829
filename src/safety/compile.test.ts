import { describe, expect, it } from 'vitest';
import { compileSafety } from './compile.ts';
import { createReplyFilter } from './reply-filter.ts';
import { sampleFiles, sampleSafety } from './sample.fixture.ts';

function boundaryOf(text: string, language: string): string | null {
  const policy = { boundaries: ['profanity'], mode: 'dialogue', language, intensity: null, toolNames: [] } as const;
  const reply = createReplyFilter(sampleSafety, policy);
  reply.push(text);
  reply.end();
  return reply.violation?.boundary ?? null;
}

describe('the safety data, compiled', () => {
  it('says what is wrong with a phrase, and where, and leaves it out', () => {
    const entry = {
      id: 'x',
      phrase: 'bad~nothing',
      category: 'word',
      severity: 1,
      where: 'en/drugs.json:7:5',
    } as const;
    const good = { id: 'y', phrase: 'buy weed', category: 'word', severity: 1 } as const;
    const lexicon = { language: 'en', boundary: 'drugs', entries: [entry, good] };
    const compiled = compileSafety({ ...sampleFiles, lexicons: [lexicon] });
    expect(compiled.problems).toEqual(['en/drugs.json:7:5: there is no paradigm "nothing"']);
    expect(compiled.stats.phrases).toBeGreaterThan(0);
  });

  it('knows the boundaries that a lexicon is there for', () => {
    expect(sampleSafety.boundaries).toEqual(['profanity', 'self_harm', 'sexual_content', 'violence']);
  });

  it('leaves out a single word that is innocent in its language when folded, and keeps its other forms', () => {
    expect(boundaryOf('kalei', 'lt')).toBeNull();
    expect(boundaryOf('kalės', 'lt')).toBe('profanity');
    expect(boundaryOf('kalės', 'en')).toBe('profanity');
    expect(sampleSafety.stats.vetoed).toBe(1);
  });

  it('has a fallback in the language of the lesson for every boundary', () => {
    expect(sampleSafety.fallback('lt', 'violence')).toBe('Čia sustokime.');
    expect(sampleSafety.fallback('en', 'self_harm')).toBe('You matter. Call 116 123.');
    expect(sampleSafety.fallback('pl', 'violence')).toBe('Let us stop here.');
  });

  it('names the help lines for what a student may need', () => {
    const { intro, lines } = sampleSafety.helpLines('en', ['self_harm']);
    expect(intro).toBe('You are not alone.');
    expect(lines.map(({ name }) => name)).toEqual(['Youth line']);
    expect(sampleSafety.helpLines('en', ['abuse', 'self_harm']).lines).toHaveLength(2);
  });
});
