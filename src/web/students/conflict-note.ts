import { build } from '../app/dom.ts';
import type { ProfileView } from '../protocol-types.ts';
import type { ProfileTexts } from '../texts/students-texts.ts';
import { differences, type Draft, draftOf } from './profile-draft.ts';

/** Says that somebody else saved a profile that is being changed here, in what the two differ, and asks which is to count. */
export function conflictNote(
  texts: ProfileTexts,
  { mine, theirs, when }: { mine: Draft; theirs: ProfileView; when: string | null },
  calls: { load: () => void; overwrite: () => void },
): HTMLElement {
  const { conflict } = texts;
  const parts = differences(mine, draftOf(theirs.profile)).map((part) => texts.parts[part] ?? part);
  return build(
    'section',
    { class: 'conflict', role: 'alert', tabindex: -1 },
    build('h3', {}, conflict.title),
    when !== null && build('p', { class: 'facts' }, texts.updated(when)),
    build('p', {}, parts.length === 0 ? conflict.same : `${conflict.kept} ${conflict.differs(parts.join(', '))}`),
    build(
      'div',
      { class: 'buttons' },
      build('button', { type: 'button', class: 'secondary', on: { click: calls.load } }, conflict.load),
      build('button', { type: 'button', class: 'secondary', on: { click: calls.overwrite } }, conflict.overwrite),
    ),
  );
}
