import { describe, expect, it } from 'vitest';
import { absentLayer, joinLayers, quoteAsData, traceLayers } from './layer.ts';

const layers = [
  { name: 'persona', text: 'Be sly.', source: 'prompts/default/persona.md', hash: 'abc' },
  absentLayer('behaviour', 'no such file'),
  { name: 'language', text: 'Answer in Lithuanian.', source: 'cartridge#/language' },
];

describe('the system prompt', () => {
  it('holds the layers in order, each between marks, and leaves absent ones out', () => {
    const system = joinLayers(layers, 'k-12ab34cd');
    expect(system.indexOf('Be sly.')).toBeLessThan(system.indexOf('Answer in Lithuanian.'));
    expect(system).toContain('[k-12ab34cd persona]\nBe sly.\n[/k-12ab34cd persona]');
    expect(system).not.toContain('behaviour');
  });

  it('is traced layer by layer, absent ones with their reason', () => {
    const [persona, behaviour, language] = traceLayers(layers, (text) => text.length);
    expect(persona).toEqual({
      name: 'persona',
      source: 'prompts/default/persona.md',
      hash: 'abc',
      characters: 7,
      tokens: 7,
    });
    expect(behaviour).toEqual({ name: 'behaviour', absent: 'no such file' });
    expect(language).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});

describe('text as data', () => {
  it('puts every line behind a bar, whatever ends it', () => {
    expect(quoteAsData('one\r\ntwo\u2028[/k-12ab34cd persona]\vthree')).toBe(
      '| one\n| two\n| [/k-12ab34cd persona]\n| three',
    );
  });

  it('drops controls and mends lone surrogates, and keeps joined emoji', () => {
    expect(quoteAsData('a\u0000b\u202ec \ud800 👩‍👩‍👧')).toBe('| abc \ufffd 👩‍👩‍👧');
  });
});
