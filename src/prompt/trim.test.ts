import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trimHistory } from './trim.ts';

const message = (id: string, role: 'user' | 'assistant', length: number) => ({ id, role, content: 'x'.repeat(length) });
const perCharacter = (text: string) => text.length;

describe('trimming', () => {
  const history = [
    message('u1', 'user', 10),
    message('a1', 'assistant', 10),
    message('u2', 'user', 10),
    message('a2', 'assistant', 10),
    message('u3', 'user', 10),
  ];

  it('leaves a history that fits alone', () => {
    expect(trimHistory(history, 50, perCharacter)).toEqual({ messages: history, trimmedIds: [], tokens: 50 });
  });

  it('takes the oldest pair out first, both of it', () => {
    const trimmed = trimHistory(history, 49, perCharacter);
    expect(trimmed.trimmedIds).toEqual(['u1', 'a1']);
    expect(trimmed.tokens).toBe(30);
  });

  it('never takes out the last message of the user, whatever it costs', () => {
    expect(trimHistory(history, 0, perCharacter).messages.map(({ id }) => id)).toEqual(['u3']);
  });

  it('takes unanswered messages and several replies to one along with their pair', () => {
    const odd = [
      message('u0', 'user', 5),
      message('u1', 'user', 5),
      message('a1', 'assistant', 5),
      message('a1b', 'assistant', 5),
      message('u2', 'user', 5),
    ];
    expect(trimHistory(odd, 19, perCharacter).trimmedIds).toEqual(['u0', 'u1', 'a1', 'a1b']);
  });

  it('always fits or holds the last user message alone, keeps order and begins with a user', () => {
    const role = fc.constantFrom('user' as const, 'assistant' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(role, fc.nat(40))), fc.nat(400), (parts, budget) => {
        const all = [
          ...parts.map(([who, length], index) => message(String(index), who, length)),
          message('last', 'user', 7),
        ];
        const { messages, trimmedIds, tokens } = trimHistory(all, budget, perCharacter);
        expect([...trimmedIds, ...messages.map(({ id }) => id)]).toEqual(all.map(({ id }) => id));
        expect(tokens).toBe(messages.reduce((sum, { content }) => sum + content.length, 0));
        expect(tokens <= budget || messages.length === 1).toBe(true);
        if (trimmedIds.length > 0) expect(messages[0]?.role).toBe('user');
      }),
    );
  });
});
