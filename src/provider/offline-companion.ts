import type { ConversationBrief, TaskBrief } from '../engine/ports/model.ts';

type Lines = {
  disclosure: string;
  remembered: (what: string) => string;
  heard: (words: string) => string;
  questions: readonly string[];
  structured: string;
  summary: (count: number) => string;
  noteSummary: string;
};

const english: Lines = {
  disclosure: 'No AI is behind me just now, so I can listen and keep track, and little more.',
  remembered: (what) => `From before, I have this written down: ${what}`,
  heard: (words) => `You said: “${words}”`,
  questions: [
    'What matters most to you in this?',
    'What have you tried so far, and what came of it?',
    'What would a good next step look like?',
    'Who else should know about this?',
  ],
  structured:
    'No AI is connected, so nothing was analysed. Your message is kept; send it again once a model is set up.',
  summary: (count) => `Notes taken without an AI, from ${count} message(s):`,
  noteSummary: 'Your child worked in a conversation. No AI was connected, so this note gives no details.',
};

const lithuanian: Lines = {
  disclosure: 'Šiuo metu už manęs nėra dirbtinio intelekto, tad galiu tik išklausyti ir užsirašyti.',
  remembered: (what) => `Iš anksčiau turiu užrašyta: ${what}`,
  heard: (words) => `Sakai: „${words}“`,
  questions: [
    'Kas tau čia svarbiausia?',
    'Ką jau bandei ir kas iš to išėjo?',
    'Koks būtų geras kitas žingsnis?',
    'Kas dar turėtų apie tai žinoti?',
  ],
  structured:
    'Dirbtinis intelektas neprijungtas, tad niekas neišanalizuota. Tavo žinutė išsaugota; siųsk ją dar kartą, kai modelis bus prijungtas.',
  summary: (count) => `Užrašai be dirbtinio intelekto, žinučių: ${count}.`,
  noteSummary:
    'Jūsų vaikas dalyvavo pokalbyje. Dirbtinis intelektas nebuvo prijungtas, tad šis laiškelis be smulkmenų.',
};

const quotedCharacters = 160;
const summaryWords = 200;

/** What a companion with no model behind it answers: what it heard, what it has written down, and a question. */
export function speakAsCompanion({ language, said, remembered, replyFormat }: ConversationBrief): string {
  const lines = linesFor(language);
  if (replyFormat !== null) {
    return JSON.stringify({
      user_explanation: lines.structured,
      technical_instruction: '',
      confidence: 0,
      metadata: { memory_keys: [], dependencies: [], context_items: 0, processing_time: 0 },
    });
  }
  const question = lines.questions[(said.length - 1) % lines.questions.length] ?? '';
  const [first] = remembered;
  return [
    ...(said.length <= 1 ? [lines.disclosure] : []),
    ...(said.length <= 1 && first !== undefined ? [lines.remembered(shorten(first))] : []),
    lines.heard(shorten(said.at(-1) ?? '')),
    question,
  ].join(' ');
}

/**
 * Work on what was said, done without a model: notes are the person's own first sentences, kept as they were said; of
 * facts and topics there are none, because finding them takes a reader.
 */
export function doTask({ task, language, said, earlier }: TaskBrief): string {
  const lines = linesFor(language);
  switch (task) {
    case 'rolling':
    case 'rolling-anew':
      return JSON.stringify({ summary: takeNotes(lines, said, task === 'rolling' ? earlier : ''), facts: [] });
    case 'summary':
      return takeNotes(lines, said, '');
    case 'key_facts':
      return JSON.stringify({ decisions: [], preferences: [], learned: [] });
    case 'topics':
      return JSON.stringify({ topics: [] });
    case 'learnings':
      return JSON.stringify({ learnings: [] });
    case 'parent_note':
      return JSON.stringify({ summary: lines.noteSummary, highlights: [], concerns: null, suggestions: null });
    case 'objectives':
      return JSON.stringify({ priority_questions: lines.questions.slice(0, 2), check_on: [], updates_to_share: [] });
    default:
      return earlier;
  }
}

function takeNotes(lines: Lines, said: TaskBrief['said'], earlier: string): string {
  const own = said.filter(({ role }) => role === 'user').map(({ content }) => `– ${shorten(content)}`);
  const known = earlier.split('\n').filter((line) => line.startsWith('– '));
  const notes = [...known, ...own.filter((note) => !known.includes(note))];
  let words = 0;
  const kept = notes.toReversed().filter((note) => (words += note.split(/\s+/u).length) <= summaryWords);
  return [lines.summary(kept.length), ...kept.toReversed()].join('\n');
}

/** The first sentence or so, on one line. */
function shorten(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= quotedCharacters) return line;
  const cut = line.slice(0, quotedCharacters).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), quotedCharacters / 2))}…`;
}

function linesFor(language: string): Lines {
  return language === 'lt' ? lithuanian : english;
}
