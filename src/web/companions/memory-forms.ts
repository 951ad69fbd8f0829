import { build, fill } from '../app/dom.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';

const longestSummary = 8000;

/** Where the summary is put in one's own words. `save` throws where it does not get through. */
export function editForm(
  texts: CompanionPageTexts,
  summary: string,
  calls: { save: (summary: string) => Promise<void>; cancel: () => void },
): HTMLElement {
  const { memory } = texts.companions;
  const area = build('textarea', { id: 'memory-edit', rows: 12, maxlength: longestSummary });
  area.value = summary;
  return form(texts, {
    body: [build('label', { for: 'memory-edit', class: 'label' }, memory.editLabel), area],
    submit: memory.save,
    cancel: memory.cancel,
    act: () => calls.save(area.value.trim()),
    leave: calls.cancel,
  });
}

/** Asks before anything is forgotten. `clear` throws where it does not get through. */
export function clearForm(
  texts: CompanionPageTexts,
  calls: { clear: () => Promise<void>; cancel: () => void },
): HTMLElement {
  const { memory } = texts.companions;
  return form(texts, {
    body: [build('p', { class: 'label' }, memory.clearQuestion), build('p', {}, memory.clearHint)],
    submit: memory.clearYes,
    cancel: memory.clearNo,
    act: calls.clear,
    leave: calls.cancel,
  });
}

type Form = {
  body: HTMLElement[];
  submit: string;
  cancel: string;
  act: () => Promise<void>;
  leave: () => void;
};

function form(texts: CompanionPageTexts, { body, submit, cancel, act, leave }: Form): HTMLElement {
  const problem = build('p', { class: 'field-problem', role: 'alert' });
  const go = build('button', { type: 'submit', class: 'primary' }, submit);
  const run = async () => {
    fill(problem);
    go.disabled = true;
    try {
      await act();
    } catch {
      fill(problem, texts.companions.memory.failed);
      go.disabled = false;
    }
  };
  return build(
    'form',
    {
      class: 'asking',
      on: {
        submit(event) {
          event.preventDefault();
          void run();
        },
      },
    },
    body,
    problem,
    build(
      'div',
      { class: 'buttons' },
      go,
      build('button', { type: 'button', class: 'secondary', on: { click: leave } }, cancel),
    ),
  );
}
