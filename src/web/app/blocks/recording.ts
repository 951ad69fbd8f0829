import type { BlockView } from '../../protocol-types.ts';
import type { Texts } from '../../texts/texts.ts';
import { build } from '../dom.ts';
import { prose } from '../prose.ts';
import { addressOf, textField } from './fields.ts';

/** Sound with its transcript; the transcript alone, open, where the file is missing or does not play. */
export function audioBlock(block: BlockView, texts: Texts): HTMLElement {
  return recording(block, texts, { tag: 'audio', label: texts.blocks.audio, words: textField(block, 'transcript') });
}

/** A film with its transcript, or with its alternative text where it has none. */
export function videoBlock(block: BlockView, texts: Texts): HTMLElement {
  const words = textField(block, 'transcript') || textField(block, 'alt_text');
  return recording(block, texts, { tag: 'video', label: texts.blocks.video, words });
}

export function videoTranscriptBlock(block: BlockView, texts: Texts): HTMLElement {
  const source = textField(block, 'source_description');
  return build(
    'figure',
    { class: 'block recording' },
    build('figcaption', { class: 'label' }, source || texts.blocks.video),
    prose(textField(block, 'transcript')),
  );
}

type Recording = { tag: 'audio' | 'video'; label: string; words: string };

function recording(block: BlockView, texts: Texts, { tag, label, words }: Recording): HTMLElement {
  const url = addressOf(block);
  const figure = build('figure', { class: 'block recording' }, build('figcaption', { class: 'label' }, label));
  const wordsAlone = () => {
    figure.append(build('p', { class: 'hint' }, texts.blocks.mediaMissing), prose(words));
  };
  if (url === null) {
    wordsAlone();
    return figure;
  }
  const alternative = textField(block, 'alt_text') || label;
  const player = build(tag, { src: url, controls: true, preload: 'metadata', 'aria-label': alternative });
  const transcript = build('details', {}, build('summary', {}, texts.blocks.transcript), prose(words));
  player.addEventListener(
    'error',
    () => {
      player.remove();
      transcript.remove();
      wordsAlone();
    },
    { once: true },
  );
  figure.append(player);
  if (words !== '') figure.append(transcript);
  return figure;
}
