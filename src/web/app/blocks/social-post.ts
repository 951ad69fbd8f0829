import type { BlockView } from '../../protocol-types.ts';
import type { Texts } from '../../texts/texts.ts';
import { build } from '../dom.ts';
import { prose } from '../prose.ts';
import { textField } from './fields.ts';
import { hueOf } from './group-chat.ts';
import { picture } from './picture.ts';

export function socialPost(block: BlockView, texts: Texts): HTMLElement {
  const author = textField(block, 'author');
  const place = textField(block, 'platform_hint');
  const source = textField(block, 'cited_source');
  const reactions = engagementOf(block['engagement'], texts);
  const hasPicture = textField(block, 'image') !== '';
  const url = typeof block.src_url === 'string' ? block.src_url : null;
  return build(
    'article',
    { class: 'block post', 'aria-label': `${texts.blocks.post}: ${author}` },
    build(
      'div',
      { class: 'post-head' },
      build('span', { class: `post-avatar hue-${hueOf(author)}`, 'aria-hidden': 'true' }, initialOf(author)),
      build('p', { class: 'post-author' }, build('strong', {}, author), place !== '' && build('span', {}, place)),
    ),
    prose(textField(block, 'text')),
    hasPicture && picture(url, textField(block, 'image_alt'), texts),
    source !== '' && build('p', { class: 'post-source' }, texts.blocks.source(source)),
    reactions !== '' && build('p', { class: 'post-reactions' }, reactions),
  );
}

/** Authors write reactions as a sentence or as counts by name; what is neither is left out. */
function engagementOf(value: unknown, texts: Texts): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null) return '';
  const names: Record<string, (count: number) => string> = {
    likes: texts.blocks.likes,
    reactions: texts.blocks.likes,
    comments: texts.blocks.comments,
    shares: texts.blocks.shares,
    views: texts.blocks.views,
  };
  return Object.entries(value)
    .flatMap(([name, count]: [string, unknown]) => {
      if (typeof count === 'number') return names[name]?.(count) ?? `${name}: ${count}`;
      return typeof count === 'string' ? `${name}: ${count}` : [];
    })
    .join(' · ');
}

function initialOf(name: string): string {
  return (Array.from(name.replace(/[^\p{L}\p{N}]/gu, ''))[0] ?? '?').toUpperCase();
}
