import { type Attributes, build, fill } from '../app/dom.ts';

/** A field of a form with a place for what is wrong with it. */
export type ProfileField = {
  element: HTMLElement;
  input: HTMLInputElement | HTMLTextAreaElement;
  /** Says what is wrong, or (null) that nothing is. */
  complain(text: string | null): void;
};

export type FieldSpec = {
  id: string;
  label: string;
  value: string;
  /** Null: a field for several lines. */
  type: 'text' | 'date' | null;
  hint?: string;
  more?: Attributes;
};

export function profileField({ id, label, value, type, hint, more }: FieldSpec): ProfileField {
  const hintId = `${id}-hint`;
  const problem = build('p', { id: `${id}-problem`, class: 'field-problem' });
  const described = hint === undefined ? problem.id : `${hintId} ${problem.id}`;
  const attributes = { id, 'aria-describedby': described, autocomplete: 'off', ...more };
  const input = type === null ? build('textarea', { rows: 3, ...attributes }) : build('input', { type, ...attributes });
  input.value = value;
  const complain = (text: string | null) => {
    fill(problem, text);
    if (text === null) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  };
  input.addEventListener('input', () => complain(null));
  return {
    element: build(
      'div',
      { class: 'field' },
      build('label', { for: id }, label),
      hint !== undefined && build('p', { id: hintId, class: 'hint' }, hint),
      input,
      problem,
    ),
    input,
    complain,
  };
}
