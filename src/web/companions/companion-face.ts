import { build } from '../app/dom.ts';

/** A companion's sign: the first letter of its name on a lozenge. It wears no mask. */
export function companionFace(name: string): HTMLElement {
  const [letter = '•'] = name.replace(/^(the|a|an)\s+/iu, '').trim();
  return build('span', { class: 'sign', 'aria-hidden': 'true' }, build('span', {}, letter.toLocaleUpperCase()));
}
