import type { Page } from '../app/app.ts';
import type { CompanionClient } from '../client/companion-client.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';

/** What every part of the companions' pages is given. */
export interface CompanionPage extends Page {
  readonly client: CompanionClient;
  texts(): CompanionPageTexts;
}
