import { expect, it } from 'vitest';
import { readConversation } from './conversation-state.ts';

it('finds no topic in nothing and in greetings', () => {
  expect(readConversation([], 'en')).toEqual({ topics: [], tone: 'calm', messages: 0 });
  expect(readConversation(['Hello again, thanks for today!'], 'en').topics).toEqual([]);
  expect(readConversation(['Laba diena, sveiki', 'Labas vakaras, ačiū'], 'lt').topics).toEqual([]);
});

it('takes the longer words of a first message, and later those that come back, most often said first', () => {
  expect(readConversation(['My essay about medicine is late'], 'en').topics).toEqual(['medicine', 'essay']);
  const later = ['The essay is late.', 'Medicine or law?', 'The essay again.', 'Medicine, and the essay.'];
  expect(readConversation(later, 'en').topics).toEqual(['essay', 'medicine']);
});

it('tells the tone from the last messages, the heavier where there is a tie', () => {
  expect(readConversation(['I am happy', 'ok', 'ok', 'ok'], 'en').tone).toBe('calm');
  expect(readConversation(['Bijau egzamino'], 'lt').tone).toBe('worried');
  expect(readConversation(['This is unfair, I am stuck'], 'en').tone).toBe('frustrated');
  expect(readConversation(['I am glad and worried'], 'en').tone).toBe('worried');
});
