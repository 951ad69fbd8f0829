import { build } from '../app/dom.ts';
import { prose } from '../app/prose.ts';
import type { MemoryView } from '../protocol-types.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';
import { day } from '../app/when.ts';

/** What earlier conversations left, to read; null where that is not known yet. */
export function recallSection({ companions, language }: CompanionPageTexts, memory: MemoryView | null): HTMLElement {
  const { recall } = companions;
  const { topics = [], key_facts: facts = [], recent_summary: summary = null } = memory ?? {};
  const list = (heading: string, items: readonly string[]) =>
    items.length > 0 && [
      build('h3', {}, heading),
      build(
        'ul',
        {},
        items.map((item) => build('li', {}, item)),
      ),
    ];
  const isEmpty = topics.length + facts.length === 0 && summary === null;
  const date = memory?.last_session_date;
  return build(
    'section',
    { class: 'notes', 'aria-labelledby': 'recall-title' },
    build('h2', { id: 'recall-title' }, recall.title),
    isEmpty && build('p', { class: 'hint' }, recall.none),
    summary !== null && [
      build('h3', {}, date ? `${recall.summary}, ${day(date, language)}` : recall.summary),
      prose(summary),
    ],
    list(recall.topics, topics),
    list(recall.facts, facts),
  );
}
