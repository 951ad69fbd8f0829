import { build, fill } from '../app/dom.ts';
import type { ConversationView } from '../protocol-types.ts';
import type { CompanionPageTexts } from '../texts/companion-texts.ts';
import type { CompanionPage } from './companion-page.ts';

const lookMs = 2_000;
const looks = 30;

/** A line that says what is remembered of an ended conversation, as it comes to be: that takes a model some seconds. */
export function rememberedLine(page: CompanionPage, ended: ConversationView, signal: AbortSignal): HTMLElement {
  const line = build('p', { class: 'facts', role: 'status' });
  const watch = async () => {
    let view: ConversationView | null = ended;
    for (let look = 0; look < looks; look += 1) {
      const text = view ? rememberedText(view.remembered, page.texts()) : '';
      if (text !== '' && line.textContent !== text) fill(line, text);
      if (Date.now() - Date.parse(ended.ended_at ?? '') > looks * lookMs) return;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      if (signal.aborted) return;
      view = await page.client.conversation(ended.id, { signal }).catch(() => null);
    }
  };
  void watch();
  return line;
}

/** What became of each part of what is remembered of an ended conversation, in words; empty where nothing is known yet. */
function rememberedText(
  remembered: ConversationView['remembered'],
  { companions, language }: CompanionPageTexts,
): string {
  const { remembered: texts } = companions;
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const named = (status: string) =>
    Object.entries(remembered)
      .filter(([, each]) => each === status)
      .map(([part]) => texts.parts[part] ?? part.replaceAll('_', ' '));
  const [done, failed] = [named('done'), named('failed')];
  return [
    done.length > 0 ? texts.done(list.format(done)) : '',
    failed.length > 0 ? texts.failed(list.format(failed)) : '',
    done.length + failed.length === 0 && named('skipped').length > 0 ? texts.skipped : '',
  ]
    .filter((line) => line !== '')
    .join(' ');
}

/** In the place where one writes, once a conversation is over. */
export function endedNote(texts: CompanionPageTexts, remembered: HTMLElement, startNew: () => void): HTMLElement {
  const { talkView } = texts.companions;
  return build(
    'div',
    { class: 'part-over' },
    build('div', {}, build('p', {}, talkView.ended), remembered),
    build('button', { type: 'button', class: 'primary', on: { click: startNew } }, talkView.startNew),
  );
}
