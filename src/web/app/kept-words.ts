import type { ExchangeView } from '../protocol-types.ts';
import { build } from './dom.ts';

/** What of a conversation still has words, and whether the words of some of it are deleted: they are not kept for long. */
export function keptWords(exchanges: readonly ExchangeView[]): { said: ExchangeView[]; isForgotten: boolean } {
  const said = exchanges.filter(({ content }) => content !== '');
  return { said, isForgotten: said.length < exchanges.length };
}

/** The line in a conversation that stands for what is deleted. */
export function forgottenNotice(text: string): HTMLElement {
  return build('li', { class: 'notice' }, build('p', {}, text));
}
