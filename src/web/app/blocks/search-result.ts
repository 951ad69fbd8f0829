import type { BlockView } from '../../protocol-types.ts';
import { build } from '../dom.ts';
import { textField } from './fields.ts';

/** One result of a search. The address is shown and leads nowhere: it belongs to the story. */
export function searchResult(block: BlockView): HTMLElement {
  const address = textField(block, 'url');
  return build(
    'article',
    { class: 'block result' },
    address !== '' && build('p', { class: 'result-address' }, address),
    build('p', { class: 'result-title' }, textField(block, 'title')),
    build('p', { class: 'result-snippet' }, textField(block, 'snippet')),
  );
}
