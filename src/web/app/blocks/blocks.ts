import type { BlockView } from '../../protocol-types.ts';
import type { Texts } from '../../texts/texts.ts';
import { build } from '../dom.ts';
import { prose } from '../prose.ts';
import { textField } from './fields.ts';
import { groupChat } from './group-chat.ts';
import { imageBlock, memeBlock } from './picture.ts';
import { audioBlock, videoBlock, videoTranscriptBlock } from './recording.ts';
import { searchResult } from './search-result.ts';
import { socialPost } from './social-post.ts';

type Renderer = (block: BlockView, texts: Texts) => HTMLElement | null;

const renderers: Record<string, Renderer> = {
  text: textBlock,
  image: imageBlock,
  meme: memeBlock,
  audio: audioBlock,
  video: videoBlock,
  video_transcript: videoTranscriptBlock,
  social_post: socialPost,
  search_result: searchResult,
};

/** A phase's content, in order; chat messages that follow one another become one thread. */
export function renderBlocks(blocks: readonly BlockView[], texts: Texts): HTMLElement[] {
  const rendered: HTMLElement[] = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block?.type === 'chat_message') {
      const end = blocks.findIndex((other, index) => index > at && other.type !== 'chat_message');
      const thread = blocks.slice(at, end < 0 ? undefined : end);
      rendered.push(groupChat(thread, texts));
      at += thread.length - 1;
    } else if (block) {
      const element = (renderers[block.type] ?? unknownBlock)(block, texts);
      if (element) rendered.push(element);
    }
  }
  return rendered;
}

function textBlock(block: BlockView): HTMLElement {
  const element = prose(textField(block, 'text'));
  element.classList.add('block', 'text-block');
  const style = textField(block, 'style');
  if (style !== '') element.dataset['style'] = style;
  return element;
}

/** A type that this page does not know: whatever words it has, and nothing else. */
function unknownBlock(block: BlockView): HTMLElement | null {
  const words = ['title', 'text', 'caption', 'transcript', 'alt_text', 'description'].flatMap((name) => {
    const text = textField(block, name);
    return text === '' ? [] : [prose(text)];
  });
  return words.length === 0 ? null : build('section', { class: 'block unknown-block' }, words);
}
