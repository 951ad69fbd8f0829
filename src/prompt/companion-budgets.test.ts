import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextLayers, layersOf } from '../cartridge/companion.ts';
import {
  contextOf,
  day,
  layerIn,
  layersIn,
  quoting,
  saying,
  textIn,
  thirds,
  tools,
} from './companion-context-fixture.ts';

describe('a layer’s budget', () => {
  const long = { format: {}, ...saying(`${'žodis po žodžio '.repeat(600)}`), tools };
  const lines = { format: {}, ...saying('ą\n'.repeat(4_000)), tools };

  it.each([
    ['long words', long],
    ['many short lines', lines],
  ])('holds for %s', (_, said) => {
    const context = contextOf([...quoting, 'context_analysis', 'tool_instructions'], said);
    for (const { layer, budgetTokens } of layersOf(context.cartridge)) {
      const { text } = layerIn(context, layer);
      expect(thirds(text ?? ''), layer).toBeLessThanOrEqual(budgetTokens ?? Number.POSITIVE_INFINITY);
    }
  });

  it('holds whatever is said and however small it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 400 }),
        (words, tokens) => {
          const named = quoting.map((layer) => ({ layer, budget_tokens: tokens }));
          const layers = layersIn(contextOf(named, saying(words)));
          const made = layers.filter(({ name }) => quoting.some((each) => each === name));
          for (const { text, name } of made) expect(thirds(text ?? ''), name).toBeLessThanOrEqual(tokens);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is the house’s where the cartridge gives none', () => {
    const context = contextOf(['objectives'], long);
    const text = textIn(context, 'objectives');
    expect(thirds(text)).toBeLessThanOrEqual(contextLayers.objectives);
    expect(text).toContain('| ask: ');
  });

  it('does not cut a reply format, which is of use only whole', () => {
    const format = { type: 'object', properties: { text: { type: 'string', description: 'x'.repeat(6_000) } } };
    expect(textIn(contextOf(['reply_format'], { format }), 'reply_format')).toContain(JSON.stringify(format));
  });

  it('gives a summary the room that facts leave', () => {
    const summary = 'žodis '.repeat(180);
    const rolling = { summary, turnCount: 2, day, facts: [] };
    const text = textIn(contextOf([{ layer: 'rolling_memory', budget_tokens: 450 }], { rolling }), 'rolling_memory');
    expect(text).toContain(summary.trim());
    expect(text).not.toContain('Facts');
  });

  it('keeps the latest facts, and one that is too long takes no other with it', () => {
    const facts = ['The first.', 'The second.', 'long '.repeat(200), 'The last.'];
    const rolling = { summary: '', turnCount: 2, day, facts: facts.map((text) => ({ kind: 'learned', text, day })) };
    const context = contextOf([{ layer: 'rolling_memory', budget_tokens: 130 }], { rolling });
    const text = textIn(context, 'rolling_memory');
    expect(text).toContain(`| ${day} learned: The second.\n| ${day} learned: The last.`);
    expect(text).not.toContain('long long');
    expect(text).not.toContain('Summary:');
  });

  it('tells the latest of what was confirmed first, and cuts a long title short', () => {
    const widgets = [1, 2, 3].map((number) => ({
      kind: 'choice',
      title: `${number}. ${'very '.repeat(60)}`,
      status: 'confirmed' as const,
      value: 'yes',
    }));
    const text = textIn(contextOf(['conversation_state'], { widgets }), 'conversation_state');
    expect(text).toMatch(/\| confirmed: 3\. very [^\n]*…: yes\n\| confirmed: 2\. /u);
  });
});
