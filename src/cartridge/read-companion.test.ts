import { describe, expect, it } from 'vitest';
import { isCompanion } from './cartridge-text.ts';
import { companionValue } from './companion-fixture.ts';
import { layersOf } from './companion.ts';
import { parseCartridge } from './parse.ts';

function parse(changes: Readonly<Record<string, unknown>> = {}, folder = 'guide') {
  return parseCartridge({
    file: 'guide/cartridge.json',
    text: JSON.stringify(companionValue(changes), null, 2),
    folder,
  });
}

function companionOf(changes: Readonly<Record<string, unknown>> = {}) {
  const parsed = parse(changes);
  if (parsed.kind === 'rejected' || !isCompanion(parsed.cartridge)) throw new Error(JSON.stringify(parsed.findings));
  return { companion: parsed.cartridge, findings: parsed.findings };
}

describe('a companion', () => {
  it('without a fault has no findings, and the numbers of the house where it leaves them out', () => {
    const { companion, findings } = companionOf();
    expect(findings).toEqual([]);
    expect(companion).toMatchObject({
      status: 'active',
      memory: {
        rolling: { recent_turns: 10, archive_after_turns: 50, summary_words: [200, 400], update: 'exchange' },
        sessions: { recall: 3, max_facts: 5, max_topics: 10 },
      },
      session: { inactivity_minutes: 15, one_at_a_time: false },
    });
    expect(companionOf({ memory: { typed: {} } }).companion.memory.typed).toEqual({
      candidates: 100,
      threshold: 0.3,
      top: 10,
      relevance: 'seed',
      ttl_days: 30,
      recent_messages: 10,
    });
  });

  it('has its layers in its own order, each with its budget', () => {
    const { companion } = companionOf();
    expect(layersOf(companion).map(({ layer, budgetTokens }) => [layer, budgetTokens])).toEqual([
      ['persona', null],
      ['safety', null],
      ['safety_configuration', null],
      ['language', null],
      ['rolling_memory', 400],
      ['session_memory', 350],
      ['tool_instructions', 300],
    ]);
  });

  it('needs neither memory nor an end', () => {
    const { companion } = companionOf({ memory: null, session: undefined, context: ['persona'], tools: null });
    expect(companion).toMatchObject({ memory: {}, session: { inactivity_minutes: 15, on_end: [] }, tools: [] });
  });

  it.each([
    ['in another folder', {}, 'elsewhere', 'id', 'The cartridge is in the folder “elsewhere”'],
    ['with a layer twice', { context: ['persona', 'persona'] }, 'guide', 'context[1]', 'stands there twice'],
    [
      'with memory before safety',
      { context: ['rolling_memory', 'safety'] },
      'guide',
      'context[1]',
      'stands after “rolling_memory”',
    ],
    ['that talks to nobody', { audience: [] }, 'guide', 'audience', ''],
    ['that waits no time', { session: { inactivity_minutes: 0 } }, 'guide', 'session.inactivity_minutes', ''],
    [
      'whose least is more than its most',
      { memory: { rolling: { summary_words: [400, 200] }, sessions: {} } },
      'guide',
      'memory.rolling.summary_words',
      'The least is more than the most.',
    ],
  ])('%s is not served, and is told why', (_, changes, folder, path, message) => {
    const { kind, findings } = parse(changes, folder);
    expect(kind).toBe('rejected');
    const told = findings.find((finding) => finding.path === path);
    expect(told).toMatchObject({ severity: 'error', file: 'guide/cartridge.json' });
    expect(told?.message.replaceAll('"', '“')).toContain(message.replaceAll('”', '“'));
  });

  it.each([
    ['a layer that is none', { context: ['persona', 'persoan'] }, 'context[1]', 'Did you mean "persona"?'],
    ['a tool that is none', { tools: ['show_widgets'] }, 'tools[0]', 'Did you mean "show_widget"?'],
    ['an ending that is none', { session: { on_end: ['summry'] } }, 'session.on_end[0]', 'Did you mean "summary"?'],
    ['a layer of a memory it does not keep', { memory: {} }, 'context', 'Add "memory": { "rolling": {} }'],
    ['an unknown key', { colour: 'red' }, 'colour', ''],
  ])('with %s is served with a warning', (_, changes, path, hint) => {
    const { findings } = companionOf(changes);
    expect(findings.some((finding) => finding.path === path && finding.hint.includes(hint))).toBe(true);
    expect(findings.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});
