import { build, type Child } from '../app/dom.ts';
import type { School, WidgetView } from '../protocol-types.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';
import { calendarDay } from '../app/when.ts';

/** What a widget lets change: its fields, and what they say now. */
export type WidgetFields = {
  element: HTMLElement;
  /** The value to confirm, or in words what is missing. */
  read: () => { kind: 'value'; value: unknown } | { kind: 'missing'; text: string };
};

/** The fields of a widget that waits for an answer. */
export function widgetFields(widget: WidgetView, { companions }: CompanionPageTexts): WidgetFields {
  const { widget: texts } = companions;
  const name = `widget-${widget.id}`;
  switch (widget.kind) {
    case 'choice': {
      const radios = widget.options.map((option) => build('input', { type: 'radio', name, value: option }));
      return {
        element: ticks(radios, widget.options),
        read: () => {
          const chosen = radios.find(({ checked }) => checked);
          return chosen ? { kind: 'value', value: chosen.value } : { kind: 'missing', text: texts.choose };
        },
      };
    }
    case 'date': {
      const date = dateInput(name, widget.date);
      return {
        element: labelled(name, texts.date, date),
        read: () =>
          date.value === '' ? { kind: 'missing', text: texts.dateMissing } : { kind: 'value', value: date.value },
      };
    }
    case 'checklist': {
      const boxes = widget.items.map(() => build('input', { type: 'checkbox' }));
      return {
        element: ticks(boxes, widget.items),
        read: () => ({
          kind: 'value',
          value: widget.items.map((item, index) => ({ item, done: boxes[index]?.checked ?? false })),
        }),
      };
    }
    case 'school_card': {
      const { school } = widget;
      const deadline = dateInput(name, school.deadline);
      return {
        element: build('div', { class: 'asking' }, schoolText(school), labelled(name, texts.deadline, deadline)),
        read: () => ({ kind: 'value', value: { ...school, deadline: deadline.value === '' ? null : deadline.value } }),
      };
    }
  }
}

/** What was confirmed, in words. */
export function widgetValue(widget: WidgetView, { companions, language }: CompanionPageTexts): Child {
  const { widget: texts } = companions;
  if (widget.value === null) return null;
  switch (widget.kind) {
    case 'choice':
      return build('p', {}, widget.value);
    case 'date':
      return build('p', {}, calendarDay(widget.value, language));
    case 'checklist':
      return build(
        'ul',
        { class: 'checked', role: 'list' },
        widget.value.map(({ item, done }) =>
          build(
            'li',
            { class: done ? 'is-done' : '' },
            build('span', { class: 'visually-hidden' }, `${done ? texts.done : texts.open}: `),
            item,
          ),
        ),
      );
    case 'school_card': {
      const { deadline } = widget.value;
      return [
        schoolText(widget.value),
        build('p', {}, `${texts.deadline}: ${deadline ? calendarDay(deadline, language) : texts.noDeadline}`),
      ];
    }
  }
}

function schoolText({ name, location, notes }: School): HTMLElement {
  return build(
    'div',
    {},
    build('p', { class: 'school-name' }, name),
    location && build('p', { class: 'facts' }, location),
    notes && build('p', {}, notes),
  );
}

function ticks(inputs: readonly HTMLInputElement[], labels: readonly string[]): HTMLElement {
  return build(
    'div',
    { class: 'ticks' },
    inputs.map((input, index) => build('label', { class: 'tick' }, input, labels[index])),
  );
}

function dateInput(id: string, value: string | null | undefined): HTMLInputElement {
  return build('input', { type: 'date', id, value: value ?? undefined });
}

function labelled(id: string, text: string, input: HTMLElement): HTMLElement {
  return build('div', { class: 'field' }, build('label', { for: id }, text), input);
}
