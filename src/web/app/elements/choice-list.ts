import type { ButtonInteraction } from '../../protocol-types.ts';
import type { App } from '../app.ts';
import { build } from '../dom.ts';

/** The ways on, as real buttons. `choose` is called with the index of the one taken. */
export function choiceList(
  app: App,
  { choices }: ButtonInteraction,
  { paused, choose }: { paused: boolean; choose: (choice: number) => Promise<void> },
): HTMLElement {
  const { lesson } = app.texts();
  const pick = async (button: HTMLButtonElement, index: number) => {
    for (const other of buttons) other.disabled = true;
    button.setAttribute('aria-busy', 'true');
    await choose(index);
    button.removeAttribute('aria-busy');
    for (const other of buttons) other.disabled = paused;
  };
  const buttons = choices.map(({ index, label }, position) => {
    const button: HTMLButtonElement = build(
      'button',
      { type: 'button', class: 'choice', disabled: paused, on: { click: () => void pick(button, index) } },
      build(
        'span',
        { class: 'choice-mark', 'aria-hidden': 'true' },
        build('span', {}, choices.length > 1 ? String.fromCodePoint(65 + position) : '→'),
      ),
      build('span', { class: 'choice-label' }, label),
    );
    return button;
  });
  const heading = build('h3', { id: 'choices-title', class: 'choices-title' }, lesson.choices);
  return build(
    'section',
    { class: 'choices', 'aria-labelledby': 'choices-title' },
    choices.length > 1 && heading,
    build(
      'ul',
      { role: 'list' },
      buttons.map((button) => build('li', {}, button)),
    ),
  );
}
