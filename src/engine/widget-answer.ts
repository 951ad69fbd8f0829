import { z } from 'zod';
import type { Widget, WidgetKind } from './conversation-session.ts';
import { type Refusal, refuse } from './outcome.ts';

/** What a person made of a widget; `value` is what they confirmed, as it was shown or changed. */
export type WidgetAnswer = { status: 'confirmed' | 'dismissed'; value: unknown };

const text = z.string().trim().min(1).max(400);

/** What can be confirmed, by kind of widget. */
const values: Readonly<Record<Exclude<WidgetKind, 'choice'>, z.ZodType>> = {
  date: z.iso.date(),
  checklist: z
    .array(z.object({ item: text, done: z.boolean() }))
    .min(1)
    .max(40),
  school_card: z.object({
    name: text,
    location: text.nullish(),
    deadline: z.iso.date().nullish(),
    notes: text.nullish(),
  }),
};

/** The widget as answered. Refused where it was answered before, and where the value is none that it can take. */
export function confirmWidget(widget: Widget, answer: WidgetAnswer): Refusal | { kind: 'answered'; widget: Widget } {
  if (widget.status !== 'pending')
    return refuse('CHANGED_MEANWHILE', { detail: `This was ${widget.status} before. Nothing was changed.` });
  if (answer.status === 'dismissed') return { kind: 'answered', widget: { ...widget, status: 'dismissed' } };
  const parsed = valueOf(widget).safeParse(answer.value ?? shownValue(widget));
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ path: ['value', ...path].join('.'), message }));
    return refuse('INVALID_REQUEST', { errors });
  }
  return { kind: 'answered', widget: { ...widget, status: 'confirmed', value: parsed.data } };
}

/** What can be confirmed of this one: of a choice, what it offers. */
function valueOf({ kind, data }: Widget): z.ZodType {
  if (kind !== 'choice') return values[kind];
  const options = stringsIn(data['options']);
  return text.refine((value) => options.includes(value), 'must be one of the options shown');
}

/** What a widget shows as it stands, for a confirmation that changes nothing. */
function shownValue({ kind, data }: Widget): unknown {
  if (kind === 'date') return data['date'];
  if (kind === 'school_card') return data['school'];
  if (kind === 'checklist') return stringsIn(data['items']).map((item) => ({ item, done: true }));
  return undefined;
}

function stringsIn(list: unknown): string[] {
  return z.array(z.string()).catch([]).parse(list);
}
