import type { BlockView } from '../../protocol-types.ts';
import type { Texts } from '../../texts/texts.ts';
import { build } from '../dom.ts';
import { textField } from './fields.ts';

/** Messages that follow one another, as one thread; who speaks is named once a run. */
export function groupChat(messages: readonly BlockView[], texts: Texts): HTMLElement {
  const hues = huesOf(messages.map((message) => textField(message, 'username')));
  const items = messages.map((message, index) => {
    const name = textField(message, 'username');
    const previous = messages[index - 1];
    const continues = previous !== undefined && textField(previous, 'username') === name;
    const time = textField(message, 'timestamp');
    return build(
      'li',
      {
        class: `thread-message${continues ? ' continues' : ''}${message['is_highlighted'] === true ? ' highlighted' : ''}`,
      },
      build('p', { class: `thread-name hue-${hues.get(name) ?? 0}` }, name),
      build(
        'div',
        { class: 'thread-bubble' },
        build('p', {}, textField(message, 'text')),
        time !== '' && build('time', {}, time),
      ),
    );
  });
  return build('ol', { class: 'block thread', role: 'list', 'aria-label': texts.blocks.chat }, items);
}

const hueCount = 6;

/** A hue for each name: its own wherever it can be, another one where a neighbour has that already. */
function huesOf(names: readonly string[]): Map<string, number> {
  const hues = new Map<string, number>();
  for (const name of names) {
    if (hues.has(name)) continue;
    const taken = new Set(hues.values());
    const wanted = Array.from({ length: hueCount }, (_, step) => (hueOf(name) + step) % hueCount);
    hues.set(name, wanted.find((hue) => !taken.has(hue)) ?? hueOf(name));
  }
  return hues;
}

/** One of six hues, always the same for a name. */
export function hueOf(name: string): number {
  return Array.from(name).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7) % hueCount;
}
