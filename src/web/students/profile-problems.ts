import { ProblemError } from '../client/problem.ts';
import type { ProfileTexts } from '../texts/students-texts.ts';
import { keyOfPath, type Sent } from './profile-draft.ts';

type ProblemTexts = ProfileTexts['problems'];

/** What the server said is wrong, in the page's words, by the key of the field; `''` where it is about none. */
export function fieldProblems(error: unknown, sent: Sent, texts: ProblemTexts): ReadonlyMap<string, string> {
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  const found = new Map<string, string>();
  for (const { path, message } of errors) {
    const key = keyOfPath(path, sent) ?? '';
    if (!found.has(key)) found.set(key, inWords(message, texts));
  }
  return found;
}

/** The server speaks English and to programs; what it is known to say is said anew. */
function inWords(message: string, texts: ProblemTexts): string {
  const [, characters] = /at most (\d+) characters/u.exec(message) ?? [];
  if (characters) return texts.tooLong(Number(characters));
  const [, entries] = /at most (\d+) entries/u.exec(message) ?? [];
  if (entries) return texts.tooMany(Number(entries));
  const [, most] = /must be (\d+) or less|<=\s?(\d+)/u.exec(message)?.filter((part) => part !== undefined) ?? [];
  if (most) return texts.atMost(most);
  if (/must not be empty|number or a text/u.test(message)) return texts.empty;
  if (/must be a date/u.test(message)) return texts.day;
  if (/0 or more/u.test(message)) return texts.notNegative;
  if (/above 0/u.test(message)) return texts.aboveZero;
  return /must be a number/u.test(message) ? texts.number : texts.other;
}
