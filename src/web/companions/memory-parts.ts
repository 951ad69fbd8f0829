import { build } from '../app/dom.ts';
import { prose } from '../app/prose.ts';
import type { RollingMemory } from '../protocol-types.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';
import { day } from '../app/when.ts';

/** The facts that hold, the newest first, and below them those that no longer do. */
export function factLists({ facts }: RollingMemory, { companions, language }: CompanionPageTexts): HTMLElement[] {
  const { memory } = companions;
  const newestFirst = facts.toSorted((one, other) => other.learned_at.localeCompare(one.learned_at));
  const list = (shown: RollingMemory['facts']) =>
    build(
      'ul',
      { class: 'fact-list', role: 'list' },
      shown.map(({ text, learned_at: learned, superseded_at: superseded }) =>
        build(
          'li',
          {},
          text,
          ' ',
          build(
            'span',
            { class: 'facts' },
            superseded === null ? day(learned, language) : memory.superseded(day(superseded, language)),
          ),
        ),
      ),
    );
  const current = newestFirst.filter((fact) => fact.superseded_at === null);
  const former = newestFirst.filter((fact) => fact.superseded_at !== null);
  return [
    ...(current.length > 0 ? [build('h3', {}, memory.facts), list(current)] : []),
    ...(former.length > 0
      ? [build('details', {}, build('summary', {}, memory.formerFacts(former.length)), list(former))]
      : []),
  ];
}

/** The messages that stand beside the summary as they were said. */
export function recentTurns({ recent_turns: turns }: RollingMemory, texts: CompanionPageTexts): HTMLElement | null {
  if (turns.length === 0) return null;
  const { memory } = texts.companions;
  return build(
    'details',
    {},
    build('summary', {}, memory.recent),
    build(
      'ul',
      { class: 'recent', role: 'list' },
      turns.map(({ role, content }) =>
        build(
          'li',
          {},
          build('p', { class: 'label' }, role === 'user' ? memory.you : texts.chat.trickster),
          prose(content),
        ),
      ),
    ),
  );
}
