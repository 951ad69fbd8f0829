import type { BlockView } from '../../protocol-types.ts';
import type { Texts } from '../../texts/texts.ts';
import { build } from '../dom.ts';
import { addressOf, textField } from './fields.ts';

/** A picture, or its alternative text in a frame where the file is missing or does not load. */
export function picture(url: string | null, alternative: string, texts: Texts): HTMLElement {
  const missing = () =>
    build(
      'div',
      { class: 'picture-missing' },
      build('p', { class: 'label' }, texts.blocks.imageMissing),
      build('p', {}, alternative),
    );
  if (url === null) return missing();
  const image = build('img', { src: url, alt: alternative, decoding: 'async' });
  image.addEventListener('error', () => image.replaceWith(missing()), { once: true });
  return image;
}

export function imageBlock(block: BlockView, texts: Texts): HTMLElement {
  const caption = textField(block, 'caption');
  return build(
    'figure',
    { class: 'block image-block' },
    picture(addressOf(block), textField(block, 'alt_text'), texts),
    caption !== '' && build('figcaption', {}, caption),
    description(block, texts),
  );
}

/** A picture with words above and below, as memes have them; the alternative text says the words too. */
export function memeBlock(block: BlockView, texts: Texts): HTMLElement {
  const words = (name: string) => {
    const text = textField(block, name);
    return text !== '' && build('p', { class: 'meme-words' }, text);
  };
  return build(
    'figure',
    { class: 'block meme-block' },
    build(
      'div',
      { class: 'meme' },
      words('top_text'),
      picture(addressOf(block), textField(block, 'alt_text'), texts),
      words('bottom_text'),
    ),
    description(block, texts),
  );
}

function description(block: BlockView, texts: Texts): HTMLElement | false {
  const text = textField(block, 'audio_description');
  return text !== '' && build('details', {}, build('summary', {}, texts.blocks.imageDescription), build('p', {}, text));
}
