import { counted } from './plural.ts';

const language = 'en';
const entries = (count: number) => counted(language, count, { one: 'entry', other: 'entries' });
const seconds = (count: number) => counted(language, count, { one: 'second', other: 'seconds' });

/** What the guardians' page and the page about one's own data say, beside what every page says. */
export const mineEnglish = {
  offline: 'There is no network just now.',
  home: { student: 'To the lessons', staff: 'To your class', guardian: 'To the notes' },

  guardian: {
    title: 'Notes for home',
    intro:
      'A maestro is an AI companion that your child can learn a subject with. If you agree, it writes you a short note afterwards.',
    child: 'Your child',
    childNumber: (number: number) => `Child ${number}`,
    noChildren: 'No child is linked to you here. Please ask the school.',
    signedOutTitle: 'Please ask for a new link',
    signedOut: 'Nobody is signed in here. A link runs out after a while: the school can give you a new one.',
    otherRoleTitle: 'This page is for parents and guardians',
    otherRole: 'You are signed in here as somebody else. Open the link that the school gave you once more.',
  },

  consent: {
    label: 'A maestro may write me notes about what was learned',
    about: 'What this means',
    meaning: [
      'A note says what was worked on and for how long, what went well, what was hard, and what could help at home. The maestro is told to leave out everything private and to quote nothing.',
      'Without this agreement nothing is written. You can take it back here whenever you like, and so can your child.',
      'If it is taken back, earlier notes are hidden. They are here again if you agree again.',
    ],
    nobody: 'Nobody has agreed yet, so no notes are written.',
    agreed: {
      you: (date: string) => `You agreed on ${date}.`,
      other: (date: string) => `Somebody else at home agreed on ${date}.`,
    },
    withdrawn: {
      you: (date: string) => `You took this back on ${date}. No notes are written.`,
      student: (date: string) =>
        `Your child took this back on ${date}. No notes are written. Perhaps talk it over before you agree again.`,
      other: (date: string) => `Somebody else at home took this back on ${date}. No notes are written.`,
    },
    saving: 'Saving…',
    savedOn: 'Saved. Notes may be written from now on.',
    savedOff: 'Saved. No more notes are written.',
    offline: 'Not saved: there is no network just now. Your answer is still what the switch shows.',
    failed: 'Not saved: the server cannot be reached just now. Your answer is still what the switch shows.',
  },

  notes: {
    title: 'Notes',
    off: 'There are none while nobody has agreed.',
    none: 'There are no notes yet. The first may come after the next conversation with a maestro.',
    ai: 'Written by an AI, which can be wrong. If something puzzles you, ask the teacher.',
    isNew: 'New',
    moment: 'under a minute',
    highlights: 'What went well',
    concerns: 'What was hard',
    suggestions: 'What could help at home',
    older: 'Older notes',
    failed: 'The notes cannot be shown just now.',
  },

  mine: {
    title: 'What is held about you',
    intro: 'It is yours: take a copy with you, or have everything erased.',
    signedOutTitle: 'Nobody is signed in here',
    signedOut:
      'Students join with the code on the board. Teachers and guardians open their link; if it has run out, the school can give a new one.',
    join: 'Join with a code',
  },

  own: {
    title: 'Notes for home',
    granted: (date: string) =>
      `Since ${date} a maestro may write notes about what you learn, for those who care for you: they agreed to it.`,
    hint: 'You may take this back. Then no more notes are written, and the earlier ones are hidden. To agree again is up to those who care for you.',
    withdraw: 'Take it back',
    done: 'It is taken back. No notes are written.',
    nobody: 'Nobody has agreed to notes for home, so none are written. To agree is up to those who care for you.',
    withdrawn: {
      you: (date: string) =>
        `You took this back on ${date}, and no notes are written. If you change your mind, tell them at home: only they can agree again.`,
      other: (date: string) => `This was taken back at home on ${date}, and no notes are written.`,
    },
    offline: 'That did not get through: there is no network just now. Nothing has changed.',
    failed: 'That did not get through. Nothing has changed.',
    unreachable: 'What was agreed cannot be shown just now.',
  },

  copy: {
    title: 'Take a copy',
    holds: {
      student:
        'One file with everything: your lessons and conversations, what is remembered of them, notes for home, what was agreed.',
      guardian: 'One file with everything: your name, which child you care for, and what you agreed to.',
      staff: 'One file with everything: your classes, your conversations and your notes about learners.',
    },
    format: 'It is a JSON file: a text that any editor can open.',
    download: 'Download everything',
    gathering: 'Gathering everything…',
    done: (file: string) => `Done: it is among your downloads as “${file}”.`,
    tooMany: (wait: number) => `That was asked for often just now. Try again in ${seconds(wait)}.`,
    offline: 'There is no network just now. Try again when it is back.',
    failed: 'The file could not be made just now. Try again.',
  },

  leave: {
    title: 'Sign out',
    means: {
      student:
        'For a computer that others use too: afterwards nobody can go on in your name here. You have no password, so you cannot go on either: whoever joins again begins anew, as somebody new.',
      guardian:
        'For a computer that others use too: afterwards nobody can read your notes here. To come back, open your link again.',
      staff:
        'For a computer that others use too: afterwards nobody can see your classes here. To come back, open your link again.',
    },
    ask: 'Sign out…',
    yes: 'Yes, sign out',
    no: 'Stay',
    offline: 'There is no network just now, and you are still signed in.',
    failed: 'That did not get through, and you are still signed in. Try again.',
  },

  erase: {
    title: 'Erase everything',
    goes: {
      student:
        'Your lessons, your conversations, what is remembered of them, what a search finds, notes for home, and what others noted about you here: all of it goes, for good. To come back you join anew, as somebody new.',
      guardian:
        'Your name, your link to your child and the agreements you gave: all of it goes, for good. Where you had agreed, no more notes are written. What your child did here stays your child’s. To come back you need a new link.',
      staff:
        'Your name, your conversations, your notes about learners and what a search finds of them: all of it goes, for good. Classes and what students did there stay, but your link no longer opens them.',
    },
    ask: 'Erase everything…',
    question: 'Erase everything for good?',
    warning:
      'This cannot be undone: nobody here can bring anything back. If you want to keep something, download it first.',
    no: 'Keep everything',
    yes: 'Yes, erase it all',
    erasing: 'Erasing. This may take a moment…',
    offline: 'There is no network just now. Nothing is known to be erased: try again when it is back.',
    failed: 'No answer came, so it is not certain that everything is erased. Try again.',
  },

  receipt: {
    title: 'Everything is erased',
    erased: (count: number) => `${entries(count)} erased.`,
    at: 'When',
    number: 'Receipt number',
    keep: 'Keep the number if you may have to show that it was done.',
    signedOut: 'You are signed out now.',
    lost: 'Your first request got through, but its answer with the receipt number was lost on the way. The school finds the number in its server’s log.',
  },
};
