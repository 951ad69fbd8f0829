import { lessonData } from '../fixtures/lesson.ts';

const file = (path: string) => `cartridges/test-lesson/${path}`;

/** The test lesson with a block of every type in its first phase, and the files that some of them name. */
export const browserLesson = {
  ...lessonData,
  presentation_blocks: [
    ...lessonData.presentation_blocks,
    {
      id: 'b-missing',
      type: 'image',
      src: 'assets/nowhere.png',
      alt_text: 'A phone in a gift box',
      caption: 'The prize',
    },
    { id: 'b-audio', type: 'audio', src: 'assets/beep.wav', transcript: 'Hello, you have won.' },
    {
      id: 'b-video',
      type: 'video',
      src: 'assets/nowhere.mp4',
      alt_text: 'A man counts money',
      transcript: 'One, two.',
    },
    { id: 'b-words', type: 'video_transcript', transcript: 'And now the draw.', source_description: 'A short film' },
    {
      id: 'b-meme',
      type: 'meme',
      image_src: 'assets/poster.svg',
      top_text: 'Me',
      bottom_text: 'Still waiting',
      alt_text: 'A meme',
    },
    { id: 'b-chat', type: 'chat_message', username: 'Ona', text: 'did you see it?', timestamp: '7:52' },
    { id: 'b-chat-2', type: 'chat_message', username: 'Jonas', text: 'signing up now', is_highlighted: true },
    {
      id: 'b-post',
      type: 'social_post',
      author: 'Prize Office',
      text: 'Only <b>ten</b> places left!',
      image: 'assets/poster.svg',
      image_alt: 'The poster',
      engagement: { likes: 1240, shares: 1 },
      cited_source: 'our own list',
      platform_hint: 'feed',
    },
    { id: 'b-new', type: 'hologram', title: 'From the future', text: 'A type nobody knows yet', onclick: 'alert(1)' },
  ],
  safety: { ...lessonData.safety, content_boundaries: ['violence', 'self_harm'] },
  phases: lessonData.phases.map((phase) =>
    phase.id === 'start'
      ? {
          ...phase,
          visible_blocks: [
            ...phase.visible_blocks,
            'b-missing',
            'b-audio',
            'b-video',
            'b-words',
            'b-meme',
            'b-chat',
            'b-chat-2',
            'b-post',
            'b-new',
          ],
        }
      : phase,
  ),
};

export const browserLessonFiles: Readonly<Record<string, string | Uint8Array>> = {
  [file('cartridge.json')]: JSON.stringify(browserLesson, null, 2),
  [file('assets/poster.svg')]:
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#345"/></svg>',
  [file('assets/beep.wav')]: silence(),
  'prompts/default/persona.md': 'You are the Trickster.',
  'prompts/default/behaviour.md': 'Push back.',
  'prompts/default/safety.md': 'Be safe.',
};

/** A tenth of a second of nothing, as a WAV file. */
function silence(): Uint8Array {
  const samples = 800;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}
