import type { Profile } from '../../src/engine/profile.ts';
import { readMemoryQuestions } from '../fixtures/memory-questions/memory-questions.ts';

/** What conversations in one language leave, from the labelled set. */
export type FullTexts = {
  turns: string[];
  facts: string[];
  topics: string[];
  /** How someone got here, as the page they came from tells it. */
  entry: string;
  /** So many words of summaries; over again from the first where there are not so many. */
  words: (count: number) => string;
};

/** The texts of every conversation in the language. */
export async function fullTextsIn(language: 'en' | 'lt'): Promise<FullTexts> {
  const all = (await readMemoryQuestions()).conversations.filter((one) => one.language === language);
  const words = all.flatMap(({ summary }) => summary.split(/\s+/u));
  return {
    turns: all.flatMap(({ turns }) => turns.map(({ content }) => content)),
    facts: all.flatMap(({ facts }) => facts.map(({ text }) => text)),
    topics: all.map(({ id }) => id.replaceAll('-', ' ')),
    entry:
      language === 'lt'
        ? 'Atėjo iš stipendijų puslapio ir klausė, ar spės pateikti prašymą iki kito penktadienio. '
        : 'Came from the page about scholarships and asked whether there is still time to apply before next Friday. ',
    words: (count) => Array.from({ length: count }, (_, index) => words[index % words.length] ?? '').join(' '),
  };
}

/** A profile with every field; where texts are longer, with as much in each as the schema takes. */
export function fullProfile(texts: FullTexts, longer: number): Profile {
  const isLong = longer > 1;
  const many = isLong ? 50 : 4;
  const named = (name: string, most: number) => (isLong ? `${name} `.repeat(30).slice(0, most).trim() : name);
  const each = <Item>(make: (index: number) => Item) => Array.from({ length: many }, (_, index) => make(index));
  const day = (index: number) => `2026-12-${String(1 + (index % 28)).padStart(2, '0')}`;
  return {
    school_year: '11',
    gpa: { value: 9.2, scale: 10 },
    testing: each((index) => ({ test: named(`SAT ${index}`, 110), score: 1_380 + index, taken_on: '2026-05-02' })),
    activities: each((index) => ({
      name: named(texts.topics[index % texts.topics.length] ?? 'choir', 150),
      role: named('captain', 150),
      hours_per_week: 4,
      years: 3,
    })),
    schools: each((index) => ({
      name: named('Vilniaus universitetas', 190),
      status: named('applying', 110),
      deadline: day(index),
    })),
    deadlines: each((index) => ({ title: named('Scholarship essay', 190), due_on: day(index) })),
    interests: each((index) => named(texts.topics[index % texts.topics.length] ?? 'physics', 110)),
    notes: texts.words(isLong ? 400 : 60).slice(0, 1_900),
  };
}
