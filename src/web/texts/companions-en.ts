import { counted } from './plural.ts';

const language = 'en';
const messages = (count: number) => counted(language, count, { one: 'message', other: 'messages' });

/** What the companions' pages say, beside what every page says. */
export const companionsEnglish = {
  title: 'Companions',
  intro: 'Somebody to think with. They are AI: they can be wrong, and they write down what they hear.',
  none: 'There is nobody to talk with here yet.',
  talk: 'Talk',
  back: 'All companions',
  home: { student: 'To the lessons', staff: 'To your class' },
  signedOut: 'Nobody is signed in here. Students join with the code on the board; teachers open their link.',
  join: 'Join with a code',
  missing: 'There is no such companion here, or it is not for you.',
  conversationMissing: 'This conversation is not here.',
  more: 'Show more',
  side: 'Notes and past conversations',
  showSide: 'Notes',
  showTalk: 'Conversation',

  /** Stands in the place of what a lesson's conversation says. */
  chat: {
    message: 'Your message',
    placeholder: 'Write here…',
    stopped: 'This reply was stopped.',
    redacted: 'This reply was taken back and replaced: it broke the rules of this conversation.',
    noAi: 'There is no AI behind this conversation just now: the replies are only notes of what you write.',
  },
  writing: (name: string) => `${name} is writing…`,
  ai: (name: string) => `${name} is an AI and can be wrong.`,

  talkView: {
    end: 'End the conversation',
    ending: 'Ending…',
    endFailed: 'It could not be ended just now. Try again.',
    ended: 'This conversation has ended.',
    startNew: 'Start a new one',
    endedMeanwhile: 'This conversation has ended meanwhile. Your words are kept: start a new one to send them.',
    elsewhere: 'A reply is being made in another window. Your words are below.',
    paused: 'This conversation is paused.',
    beginFailed: 'The conversation could not be begun. Your words are below.',
  },

  remembered: {
    done: (parts: string) => `Remembered: ${parts}.`,
    failed: (parts: string) => `Could not be remembered: ${parts}.`,
    skipped: 'There was too little to remember anything.',
    parts: {
      summary: 'a summary',
      key_facts: 'key facts',
      topics: 'topics',
      learnings: 'what was learned',
      parent_note: 'a note for guardians',
      objectives: 'what to ask next time',
      rolling: 'notes',
    } as Record<string, string>,
  },

  past: {
    title: 'Past conversations',
    none: 'None yet.',
    open: 'going on',
    messages,
    failed: 'They cannot be shown just now.',
  },

  recall: {
    title: 'From earlier conversations',
    topics: 'You talked about',
    facts: 'What was kept',
    summary: 'Last time',
    none: 'Nothing yet. What matters of a conversation is kept when it ends.',
  },

  project: {
    about: (name: string) => `Project: ${name}`,
    label: 'Which project?',
    whole: 'No project by name',
    add: 'A new project',
    name: 'Name of the project',
    save: 'Begin',
    cancel: 'Cancel',
    missing: 'Type a name.',
    failed: 'The project could not be begun. Try again.',
  },

  learner: {
    about: (name: string) => `About ${name}`,
    label: 'Who is it about?',
    whole: 'The work as a whole',
    add: 'Add a learner',
    name: 'Name of the learner',
    save: 'Add',
    cancel: 'Cancel',
    missing: 'Type a name.',
    failed: 'The learner could not be added. Try again.',
    unknown: 'A learner',
  },

  memory: {
    title: 'What is remembered',
    about: (name: string) => `What is remembered about ${name}`,
    none: 'Nothing yet. Notes are made from what is said here.',
    status: {
      current: 'Up to date',
      pending: 'Being brought up to date…',
      failed:
        'The notes could not be brought up to date. Nothing said is lost; it is tried again after the next message.',
    },
    changed: (date: string) => `Last changed ${date}`,
    turns: (count: number) => `${messages(count)} taken in`,
    summary: 'Summary',
    noSummary: 'No summary yet.',
    facts: 'Facts',
    superseded: (date: string) => `until ${date}`,
    formerFacts: (count: number) => `No longer so (${count})`,
    recent: 'The last messages',
    you: 'You',
    edit: 'Edit the summary',
    editLabel: 'Summary in your words',
    save: 'Save',
    cancel: 'Cancel',
    saved: 'The summary was saved.',
    clear: 'Forget all this',
    clearQuestion: 'Forget everything above?',
    clearHint:
      'It is put into the archive first, where the search still finds it. After that it plays no part in any reply.',
    clearYes: 'Archive and forget',
    clearNo: 'Keep it',
    cleared: 'It was archived and forgotten.',
    failed: 'That did not get through. Try again.',
    unreachable: 'The notes cannot be shown just now.',
  },

  search: {
    title: 'Search what was said',
    label: 'Words to look for',
    archive: 'Also in the archive',
    submit: 'Search',
    found: (count: number) => counted(language, count, { one: 'place found', other: 'places found' }),
    nothing: 'Nothing was found for these words.',
    corrected: (from: string, to: string) => `Searched for “${to}” instead of “${from}”.`,
    archived: 'archived',
    kinds: { summary: 'Summary', fact: 'Fact', turn: 'Message' },
    failed: 'The search did not get through. Try again.',
  },

  widget: {
    confirm: 'Confirm',
    dismiss: 'Not now',
    confirmed: 'Confirmed',
    dismissed: 'Put aside',
    unanswered: 'Not answered',
    told: (name: string) => `${name} hears of it with your next message.`,
    choose: 'Choose one first.',
    dateMissing: 'Choose a date first.',
    date: 'Date',
    deadline: 'Deadline',
    noDeadline: 'no deadline',
    done: 'done',
    open: 'open',
    elsewhere: 'This was answered in another window. What counts stands here now.',
    busy: 'Wait until the reply is finished, then try again.',
    wrong: 'That cannot be confirmed as it stands. Look at it once more.',
    failed: 'That did not get through. Try again.',
  },

  technical: {
    title: 'For whoever builds it: the exact instruction',
    confidence: (percent: string) => `How sure: ${percent}`,
    depth: (level: number) => `Analysis: level ${level}`,
    complete: 'Analysis complete',
  },
};
