import { keyTerms } from './key-terms.ts';

export type Tone = 'worried' | 'frustrated' | 'glad' | 'calm';

/** What has happened so far in one conversation, as far as can be told without a model. */
export type ConversationView = {
  /** Words the person came back to most, the most frequent first. */
  topics: string[];
  tone: Tone;
  messages: number;
};

const mostTopics = 6;
/** What people say to each other whatever they talk about. */
const courtesies: ReadonlySet<string> = new Set(
  'hello thanks thank please sorry again today labas laba sveiki sveikas sveika ačiū prašau prašom atsiprašau vėl šiandien diena dieną vakaras vakarą rytas rytą'.split(
    ' ',
  ),
);
/** How many of the last messages the tone is told from. */
const toneMessages = 3;

/** How words of a tone begin, in English and Lithuanian, lower-case. */
const signs: Readonly<Record<Exclude<Tone, 'calm'>, readonly string[]>> = {
  worried: [
    'worr',
    'afraid',
    'scared',
    'nervous',
    'anxious',
    'anxiety',
    'stress',
    'overwhelm',
    'panic',
    'unsure',
    'nerim',
    'bijau',
    'bijo',
    'baim',
    'nervin',
    'stres',
    'išgąs',
    'panik',
    'nesu tikr',
    'jaudin',
  ],
  frustrated: [
    'frustrat',
    'annoy',
    'angry',
    'unfair',
    'hate',
    'stuck',
    'pointless',
    'give up',
    'fed up',
    'pykst',
    'piktin',
    'nesąžining',
    'užstrig',
    'beprasm',
    'atsibod',
    'nekenč',
    'nervina',
  ],
  glad: [
    'happy',
    'glad',
    'excited',
    'great',
    'proud',
    'thank',
    'love',
    'finally',
    'džiaug',
    'laiming',
    'smagu',
    'puiku',
    'didžiuoj',
    'ačiū',
    'pagaliau',
  ],
};

/** `said`: the person's messages, oldest first. */
export function readConversation(said: readonly string[], language: string): ConversationView {
  const counts = new Map<string, number>();
  for (const message of said)
    for (const term of keyTerms(message, language)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const topics = [...counts]
    .filter(([term, count]) => (count > 1 || (said.length <= 2 && term.length > 4)) && !courtesies.has(term))
    .sort(([one, first], [other, second]) => second - first || other.length - one.length)
    .slice(0, mostTopics)
    .map(([term]) => term);
  return { topics, tone: toneOf(said.slice(-toneMessages)), messages: said.length };
}

/** The tone with the most signs; the person's latest message counts twice, and a tie goes to the heavier tone. */
function toneOf(said: readonly string[]): Tone {
  const heard = [...said, ...said.slice(-1)].map((message) => message.toLowerCase());
  const scored = (['worried', 'frustrated', 'glad'] as const).map((tone) => ({
    tone,
    count: heard.flatMap((message) => signs[tone].filter((sign) => message.includes(sign))).length,
  }));
  const best = scored.reduce((one, other) => (other.count > one.count ? other : one));
  return best.count === 0 ? 'calm' : best.tone;
}
