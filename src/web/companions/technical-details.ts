import { build } from '../app/dom.ts';
import { prose } from '../app/prose.ts';
import type { DoneEvent } from '../client/turn-event.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';

/** What stands behind a reply in structure: how sure it is, how deep, and the exact instruction; null where nothing does. */
export function technicalDetails(
  { structured, workflow }: Pick<DoneEvent, 'structured' | 'workflow'>,
  { companions, language }: CompanionPageTexts,
): HTMLElement | null {
  if (!structured) return null;
  const { technical } = companions;
  const { technical_instruction: instruction, confidence } = structured;
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  const depth = workflow?.['current_depth'];
  const facts = [
    typeof confidence === 'number' ? technical.confidence(percent.format(confidence)) : null,
    workflow?.['analysis_complete'] === true
      ? technical.complete
      : typeof depth === 'number'
        ? technical.depth(depth + 1)
        : null,
  ].filter((fact) => fact !== null);
  return build(
    'div',
    { class: 'technical' },
    facts.length > 0 && build('p', { class: 'facts' }, facts.join(' · ')),
    typeof instruction === 'string' &&
      instruction.trim() !== '' &&
      build(
        'details',
        {},
        build('summary', {}, technical.title),
        build('div', { class: 'instruction' }, prose(instruction)),
      ),
  );
}
