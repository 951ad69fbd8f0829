import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolLeakFilter } from './tool-leak.ts';

function filter(chunks: readonly string[], toolNames = ['transition_phase']) {
  const leaks = new ToolLeakFilter(toolNames);
  const prose = chunks.map((chunk) => leaks.push(chunk)).join('') + leaks.end();
  return { prose, calls: leaks.calls };
}

const call = (signal: string | null, responseText: string | null = null) => ({
  name: 'transition_phase',
  signal,
  responseText,
});

const leaks: readonly (readonly [string, string, ReturnType<typeof call>])[] = [
  ['a call', 'transition_phase(signal="understood")', call('understood')],
  [
    'a call in single quotes',
    "transition_phase(signal='partial', response_text='it's fine')",
    call('partial', "it's fine"),
  ],
  [
    'a call that holds brackets',
    'transition_phase(signal="understood", response_text="So (yes)!")',
    call('understood', 'So (yes)!'),
  ],
  ['a call of the bare signal', 'transition_phase("max_reached")', call('max_reached')],
  ['a call in another case', 'TransitionPhase({ signal: "understood" })', call('understood')],
  ['an escaped name', 'transition\\_phase(signal="partial")', call('partial')],
  ['a name and a colon', 'transition_phase: {"signal": "partial"}', call('partial')],
  [
    'JSON',
    '{"name":"transition_phase","arguments":{"signal":"understood","response_text":"a } b"}}',
    call('understood', 'a } b'),
  ],
  ['JSON with spaces', '{ "name" : "transition_phase" , "parameters" : { "signal" : "partial" } }', call('partial')],
  [
    'arguments that are JSON in a string',
    '{"function": {"name": "transition_phase", "arguments": "{\\"signal\\":\\"partial\\"}"}}',
    call('partial'),
  ],
  ['the arguments alone', '{"signal":"understood"}', call('understood')],
  ['a list of calls', '[{"name":"transition_phase","arguments":{"signal":"partial"}}]', call('partial')],
  ['JSON in a fence', '```json\n{"signal": "partial"}\n```', call('partial')],
  ['a call in backticks', '`transition_phase(signal="partial")`', call('partial')],
  ['a call in a program', '```python\nprint(default_api.transition_phase(signal="partial"))\n```', call('partial')],
  ['tool code', '```tool_code\nprint(default_api.transition_phase(signal="partial"))\n```', call('partial')],
  ['a tag', '<tool_call>{"name":"transition_phase","arguments":{"signal":"partial"}}</tool_call>', call('partial')],
  [
    'a tag that is a function',
    '<function=transition_phase><parameter=signal>understood</parameter></function>',
    call('understood'),
  ],
  ['a tag of the name', '<transition_phase signal="partial"></transition_phase>', call('partial')],
  ['a marker', '[TOOL_CALLS][{"name":"transition_phase","arguments":{"signal":"partial"}}]', call('partial')],
  ['a marker and a name', '[TOOL_CALLS]transition_phase[ARGS]{"signal":"partial"}', call('partial')],
  ['a special token', '<|tool_call|>{"name":"transition_phase","arguments":{"signal":"partial"}}', call('partial')],
];

describe('a tool call written as text', () => {
  it.each(leaks)('is taken out of the prose around it: %s', (_, leak, expected) => {
    const text = `Well done. ${leak} Until tomorrow!`;
    expect(filter([text])).toEqual({ prose: 'Well done.  Until tomorrow!', calls: [expected] });
  });

  it.each(leaks)('is taken out however the reply is cut: %s', (_, leak) => {
    const text = `So ${leak} on`;
    const whole = filter([text]);
    expect(filter(text.split(''))).toEqual(whole);
    for (let at = 0; at <= text.length; at++) expect(filter([text.slice(0, at), text.slice(at)])).toEqual(whole);
  });

  it.each(leaks)('is dropped where the reply ends inside it: %s', (_, leak) => {
    const least = Math.min(leak.length - 1, 20);
    for (let length = least; length < leak.length; length++) {
      const { prose } = filter([`So ${leak.slice(0, length)}`]);
      expect(prose).toBe('So ');
    }
  });

  it('is never shown in part', () => {
    for (const [, leak] of leaks) {
      const filterOf = new ToolLeakFilter(['transition_phase']);
      for (const character of leak) expect(filterOf.push(character)).toBe('');
    }
  });

  it('may come more than once', () => {
    const { prose, calls } = filter(['a {"signal":"partial"} b transition_phase(signal="understood") c']);
    expect(prose).toBe('a  b  c');
    expect(calls.map(({ signal }) => signal)).toEqual(['partial', 'understood']);
  });
});

describe('prose', () => {
  it.each([
    'Braces { like these }, {name: "Bob"}, { "a": 1 } and {x}.',
    'A list [1, 2], [a link](https://example.lt), [sic].',
    'Tags <b>bold</b>, a < b, <i>, <3, <|im_start|>.',
    'Code `x`, ``` alone, ```js\nlet a = {};\n``` and `',
    '{"signal":"green"} and {"name":"Jonas","age":15}',
    'The transition to a phase; transitions, transition-al; metransition_phase(1).',
    'The word transition_phase alone is no call.',
    '',
  ])('passes: %s', (text) => {
    expect(filter([text])).toEqual({ prose: text, calls: [] });
    expect(filter([...text])).toEqual({ prose: text, calls: [] });
  });

  it('comes out the same however it is cut, and is held no longer than a call takes to show itself', () => {
    const pieces = fc.constantFrom(
      ...'{ } " name "name" : ` ``` json [ ] ( ) < > | / transition_phase transition _phase signal "signal"'.split(' '),
      ...'"understood" tool_call t print( [TOOL_CALLS] <function= default_api. \' \\ don ž'.split(' '),
      ...' \n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const text = parts.join('');
        expect(filter(text.split(''))).toEqual(filter([text]));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is handed on as the very string that came in', () => {
    const chunk = 'Zebras graze here. ';
    expect(new ToolLeakFilter(['transition_phase']).push(chunk)).toBe(chunk);
  });

  it('is never waited for for ever', () => {
    for (const unit of [
      '{',
      '{"name":',
      '{"name":{',
      '`',
      '``` ',
      '<',
      '<|',
      '<tool',
      '[',
      '[TOOL',
      't',
      'transition',
      '{ ',
    ]) {
      const leaksOf = new ToolLeakFilter(['transition_phase']);
      const text = unit.repeat(3_000);
      let out = 0;
      for (let at = 0; at < text.length; at++) {
        out += leaksOf.push(text.charAt(at)).length;
        expect(at + 1 - out).toBeLessThanOrEqual(161);
      }
      if (leaksOf.calls.length > 0) break;
    }
  });
});
