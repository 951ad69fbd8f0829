import { build, fill } from '../app/dom.ts';
import type { ProfileTexts } from '../texts/students-texts.ts';
import { blankRow, type Field, type ListName, lists, mostEntries, type Row } from './profile-draft.ts';
import { type ProfileField, profileField } from './profile-field.ts';

/** One of a profile's lists: its entries, each of which can be changed or taken out, and a way to add one. */
export type ProfileList = {
  element: HTMLElement;
  read(): Row[];
  /** The field of a key like `testing.2.score`. */
  field(key: string): ProfileField | undefined;
};

type Entry = { element: HTMLElement; fields: ReadonlyMap<string, ProfileField> };

let made = 0;

/** `changed` is told when an entry came or went; `said` of what to say about it. */
export function profileList(
  name: ListName,
  rows: readonly Row[],
  { texts, changed, say }: { texts: ProfileTexts; changed: () => void; say: (text: string) => void },
): ProfileList {
  let entries: Entry[] = [];
  const part = texts.parts[name] ?? name;
  const list = build('ul', { class: 'entries', role: 'list' });
  const full = build('p', { class: 'hint' });
  const add = build(
    'button',
    { type: 'button', class: 'secondary add', on: { click: () => append(blankRow(name), true) } },
    texts.add[name],
  );

  function append(row: Row, isNew = false): void {
    const entry = makeEntry(row, () => remove(entry));
    entries.push(entry);
    list.append(entry.element);
    number();
    if (!isNew) return;
    changed();
    entry.element.querySelector('input')?.focus();
  }

  function remove(entry: Entry): void {
    const at = entries.indexOf(entry);
    entries = entries.filter((each) => each !== entry);
    entry.element.remove();
    number();
    changed();
    say(texts.removed);
    (entries[Math.min(at, entries.length - 1)]?.element.querySelector('input') ?? add).focus();
  }

  function makeEntry(row: Row, takeOut: () => void): Entry {
    made += 1;
    const specs: readonly Field[] = lists[name];
    const fields = new Map(
      specs.map((field) => [field.name, fieldOf(field, `${name}-${made}`, row[field.name] ?? '')] as const),
    );
    const button = build('button', { type: 'button', class: 'quiet remove', on: { click: takeOut } }, texts.remove);
    const group = build(
      'div',
      { class: 'entry', role: 'group' },
      [...fields.values()].map(({ element }) => element),
      button,
    );
    return { element: build('li', {}, group), fields };
  }

  function fieldOf({ name: field, kind, most }: Field, id: string, value: string): ProfileField {
    return profileField({
      id: `${id}-${field}`,
      label: texts.fields[`${name}.${field}`] ?? field,
      value,
      type: kind === 'day' ? 'date' : 'text',
      more: { maxlength: most, inputmode: kind === 'number' ? 'decimal' : undefined },
    });
  }

  /** Names the entries by their places, which shift when one is taken out. */
  function number(): void {
    entries.forEach(({ element }, index) => {
      const named = texts.entry(part, index + 1);
      element.firstElementChild?.setAttribute('aria-label', named);
      element.querySelector('.remove')?.setAttribute('aria-label', `${texts.remove}: ${named}`);
    });
    list.hidden = entries.length === 0;
    add.hidden = entries.length >= mostEntries;
    fill(full, add.hidden && texts.full(mostEntries));
  }

  for (const row of rows) append(row);
  number();
  return {
    element: build('fieldset', { class: 'part' }, build('legend', {}, part), list, full, add),
    read: () =>
      entries.map(({ fields }) => Object.fromEntries([...fields].map(([field, { input }]) => [field, input.value]))),
    field(key) {
      const [, row, field = ''] = key.split('.');
      return entries[Number(row)]?.fields.get(field);
    },
  };
}
