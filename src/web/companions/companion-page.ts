import type { Page } from '../app/app.ts';
import type { CompanionClient } from '../client/companion-client.ts';
import { ProblemError } from '../client/problem.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';

/** What every part of the companions' pages is given. */
export interface CompanionPage extends Page {
  readonly client: CompanionClient;
  texts(): CompanionPageTexts;
}

/** Whether the server says that there is no such thing for the caller. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/** Whether the caller's token no longer counts. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401;
}
