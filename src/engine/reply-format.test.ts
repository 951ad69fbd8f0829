import { describe, expect, it } from 'vitest';
import { compileReplyFormat, repairRequest } from './reply-format.ts';

const schema = {
  type: 'object',
  properties: {
    user_explanation: { type: 'string', minLength: 1 },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    metadata: { type: 'object', properties: { memory_keys: { type: 'array', items: { type: 'string' } } } },
  },
  required: ['user_explanation', 'confidence'],
  additionalProperties: true,
};

function check(raw: string) {
  const format = compileReplyFormat(schema);
  if (format.kind === 'wrong') throw new Error(format.message);
  return format.check(raw);
}

describe('a reply’s format', () => {
  it('is fitted by the JSON object, in a fence or with a word around it', () => {
    const value = { user_explanation: 'Aha', confidence: 0.5, more: true };
    for (const raw of [
      JSON.stringify(value),
      `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``,
      `So: ${JSON.stringify(value)}!`,
    ])
      expect(check(raw)).toEqual({ kind: 'valid', value });
  });

  it.each([
    ['plain words', 'I cannot.', 'the reply holds no JSON object'],
    ['half an object', '{"user_explanation": "a"', 'the reply holds no JSON object'],
    ['broken JSON', '{"user_explanation": a}', 'the reply is not valid JSON'],
    ['an empty text', '{"user_explanation": "", "confidence": 1}', 'user_explanation: '],
    ['a number out of range', '{"user_explanation": "a", "confidence": 2}', 'confidence: '],
    ['a missing field', '{"user_explanation": "a"}', 'confidence: '],
    [
      'a wrong type deep down',
      '{"user_explanation":"a","confidence":1,"metadata":{"memory_keys":[3]}}',
      'metadata.memory_keys.0: ',
    ],
  ])('is not fitted by %s, and it says why', (_, raw, problem) => {
    const checked = check(raw);
    expect(checked.kind).toBe('invalid');
    expect(checked).toMatchObject({ problems: [expect.stringContaining(problem)] });
  });

  it('never repeats what the reply said', () => {
    const checked = check('{"user_explanation": 5, "confidence": "my secret words"}');
    expect(JSON.stringify(checked)).not.toContain('secret');
  });

  it('that is no schema is told of', () => {
    expect(compileReplyFormat({ type: 'nonsense' })).toMatchObject({ kind: 'wrong' });
  });

  it('asks for the reply again in the language of the conversation', () => {
    expect(repairRequest(['confidence: too big'], 'en')).toContain('- confidence: too big');
    expect(repairRequest(['confidence: too big'], 'lt')).toContain('JSON objektą');
  });
});
