import { offeredLanguages } from '../../texts/texts.ts';
import type { Page } from '../app.ts';
import { build } from '../dom.ts';

/** Lets a learner choose the language of the page. `changed` is called once the page speaks it. */
export function languageSwitch(app: Page, changed: () => void): HTMLElement {
  const texts = app.texts();
  const buttons = offeredLanguages.map(({ code, name }) =>
    build(
      'button',
      {
        type: 'button',
        class: 'quiet',
        lang: code,
        'aria-pressed': String(code === texts.language),
        on: {
          click() {
            app.notebook.language = code;
            app.speak(null);
            changed();
          },
        },
      },
      name,
    ),
  );
  return build('div', { class: 'languages', role: 'group', 'aria-label': texts.chooseLanguage }, buttons);
}
