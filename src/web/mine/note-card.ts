import { build } from '../app/dom.ts';
import { day } from '../app/when.ts';
import type { ParentNoteView } from '../protocol-types.ts';
import type { MinePageTexts } from '../texts/mine-texts.ts';

type NoteCalls = { isOpen: boolean; toggled: (isOpen: boolean, card: HTMLElement) => void };

/** One note, closed until it is to be read. A model wrote its words: they are only ever text. */
export function noteCard(texts: MinePageTexts, note: ParentNoteView, { isOpen, toggled }: NoteCalls): HTMLElement {
  const { notes } = texts.mine;
  const minutes = note.duration_minutes < 1 ? notes.moment : texts.minutes(note.duration_minutes);
  const card = build(
    'details',
    { class: 'note', open: isOpen, on: { toggle: () => toggled(card.open, card) } },
    build(
      'summary',
      {},
      build(
        'span',
        { class: 'note-head' },
        build('h4', { dir: 'auto' }, note.subject),
        note.viewed_at === null && build('span', { class: 'badge is-new' }, notes.isNew),
        build(
          'span',
          { class: 'facts' },
          build('time', { datetime: note.generated_at }, day(note.generated_at, texts.language)),
          ` · ${minutes}`,
        ),
      ),
    ),
    build(
      'div',
      { class: 'note-body' },
      build('p', { class: 'note-summary', dir: 'auto' }, note.summary),
      part(notes.highlights, note.highlights),
      part(notes.concerns, note.concerns),
      part(notes.suggestions, note.suggestions),
    ),
  );
  return card;
}

function part(title: string, lines: readonly string[] | null): HTMLElement | null {
  if (lines === null || lines.length === 0) return null;
  const items = lines.map((line) => build('li', { dir: 'auto' }, line));
  return build('div', {}, build('h5', {}, title), build('ul', {}, items));
}
