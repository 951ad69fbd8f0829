import type { Page } from '../app/app.ts';
import type { StudentsClient } from '../client/students-client.ts';
import type { Texts } from '../texts/texts.ts';
import type { StudentsTexts } from '../texts/students-texts.ts';

/** What every part of a student's page is given. */
export interface StudentPage extends Page {
  readonly client: StudentsClient;
  texts(): Texts & { students: StudentsTexts };
}

/** The student that a page's path names; null where it names none. */
export function studentOf(path: string): string | null {
  const [, named] = /^\/students\/([^/]+)\/?$/u.exec(path) ?? [];
  try {
    return named === undefined ? null : decodeURIComponent(named);
  } catch {
    return null;
  }
}
