import { z } from 'zod';
import { openType } from './open-type.ts';
import { anyText, flag, localId, object, seconds, text } from './plain-values.ts';

const source = text.describe('the path of a file in the assets folder, like "poster.png"');
const altText = anyText.describe('a text that says what there is to see or hear');

function block<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return object({ id: localId, type: z.literal(type), ...shape });
}

const blocks = {
  text: block('text', { text: anyText, style: anyText.optional() }),
  image: block('image', {
    src: source,
    alt_text: altText,
    audio_description: anyText.optional(),
    caption: anyText.optional(),
  }),
  audio: block('audio', { src: source, transcript: altText, duration_seconds: seconds.optional() }),
  video: block('video', {
    src: source,
    alt_text: altText,
    transcript: anyText.optional(),
    duration_seconds: seconds.optional(),
  }),
  video_transcript: block('video_transcript', { transcript: anyText, source_description: anyText.optional() }),
  meme: block('meme', {
    image_src: source,
    top_text: anyText.optional(),
    bottom_text: anyText.optional(),
    alt_text: altText,
    audio_description: anyText.optional(),
  }),
  chat_message: block('chat_message', {
    username: anyText,
    text: anyText,
    timestamp: anyText.optional(),
    is_highlighted: flag.optional(),
  }),
  social_post: block('social_post', {
    author: anyText,
    text: anyText,
    image: source.optional(),
    image_alt: altText.optional(),
    /** Counts or words, as the author likes to put them. */
    engagement: z.unknown().optional(),
    cited_source: anyText.optional(),
    platform_hint: anyText.optional(),
  }),
  search_result: block('search_result', {
    query: text,
    title: anyText,
    snippet: anyText,
    url: anyText.optional(),
    is_key_finding: flag.optional(),
    is_dead_end: flag.optional(),
    child_queries: z.array(text).describe('a list of queries: ["…", "…"]').optional(),
  }),
};

export type BlockType = keyof typeof blocks;
/** Whether the format knows blocks of this type. */
export function isBlockType(type: string): type is BlockType {
  return Object.hasOwn(blocks, type);
}

export type KnownBlock = z.infer<(typeof blocks)[BlockType]>;
/** A block of a type this version does not know is passed to the client whole. */
export type OtherBlock = { id: string; type: string; [key: string]: unknown };

/** A piece of content that phases show. */
export const lessonBlock = openType<(typeof blocks)[BlockType], z.ZodType<OtherBlock>>(
  blocks,
  object({ id: localId, type: text.describe('the type of the block, like "text"') }),
);
