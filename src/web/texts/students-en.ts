import { counted } from './plural.ts';

const language = 'en';
const entries = (count: number) => counted(language, count, { one: 'entry', other: 'entries' });
const characters = (count: number) => counted(language, count, { one: 'character', other: 'characters' });

/** What the form of a profile says, wherever it stands. */
export const profileEnglish = {
  title: 'Profile',
  hint: 'The companions that advise this student read this. The student can see and change it too.',
  ownTitle: 'What you have told me',
  ownHint: 'I read this before I answer. Your teacher can see and change it too.',
  updated: (when: string) => `Last saved ${when}`,
  empty: 'Nothing is filled in yet. Every field may stay empty.',
  parts: {
    school_year: 'School year',
    gpa: 'Average of marks',
    deadlines: 'Deadlines',
    schools: 'Schools',
    testing: 'Tests and exams',
    activities: 'Activities',
    interests: 'Interests',
    notes: 'Notes',
  } as Record<string, string>,
  fields: {
    school_year: 'School year',
    'gpa.value': 'Average of marks',
    'gpa.scale': 'Out of',
    interests: 'Interests',
    notes: 'Notes',
    'deadlines.title': 'What is due',
    'deadlines.due_on': 'By when',
    'schools.name': 'School',
    'schools.status': 'How it stands',
    'schools.deadline': 'Deadline',
    'testing.test': 'Test or exam',
    'testing.score': 'Result',
    'testing.taken_on': 'Taken on',
    'activities.name': 'Activity',
    'activities.role': 'Role',
    'activities.hours_per_week': 'Hours a week',
    'activities.years': 'Years',
  } as Record<string, string>,
  interestsHint: 'One on each line.',
  add: {
    deadlines: 'Add a deadline',
    schools: 'Add a school',
    testing: 'Add a test',
    activities: 'Add an activity',
  } as Record<string, string>,
  remove: 'Remove',
  /** Names one entry for whoever does not see where it stands. */
  entry: (part: string, place: number) => `${part}, ${place}`,
  removed: 'Removed. It is gone for good once you save.',
  full: (most: number) => `There is room for ${entries(most)}.`,
  save: 'Save the profile',
  saving: 'Saving…',
  saved: 'The profile was saved.',
  unsaved: 'There are changes that are not saved.',
  discard: 'Undo my changes',
  failed: 'It was not saved. What you typed is still here; try again.',
  signedOut: 'It was not saved: nobody is signed in any more. Sign in in another window, then save again here.',
  unreachable: 'The profile cannot be shown just now.',
  wrong: (count: number) =>
    `It was not saved: ${counted(language, count, { one: 'field needs', other: 'fields need' })} another look.`,
  conflict: {
    title: 'Somebody else has saved this profile meanwhile',
    kept: 'What you typed is still here and is not saved.',
    differs: (parts: string) => `They differ in: ${parts}.`,
    same: 'It says the same as what you typed.',
    load: 'Load theirs, drop mine',
    overwrite: 'Save mine over theirs',
  },
  /** What is wrong with a field. */
  problems: {
    empty: 'Fill this in.',
    tooLong: (most: number) => `At most ${characters(most)}.`,
    tooMany: (most: number) => `At most ${entries(most)}.`,
    day: 'Give a day.',
    number: 'Give a number.',
    notNegative: 'Give 0 or more.',
    aboveZero: 'Give a number above 0.',
    atMost: (most: string) => `Give ${most} or less.`,
    other: 'This cannot be saved as it stands.',
  },
};

/** What a student's page and their profile say, beside what every page says. */
export const studentsEnglish = {
  student: 'Student',
  nameless: 'Student without a name',
  back: 'To your class',
  joined: (title: string, day: string) => `In ${title} since ${day}`,
  missing: 'There is no such student here, or they are not in a class of yours.',
  signedOut: 'Nobody is signed in here. Open the teacher’s link.',
  notForYou: 'This page is for teachers.',

  sheet: {
    title: 'Before the next conversation',
    hint: 'What a companion means to bring up with this student. The AI wrote it, so it can be wrong.',
    none: 'Nothing has been prepared yet. It is made after a conversation, after a change in the profile, each day, or when you ask for it.',
    nothing: 'There is nothing in particular to bring up.',
    noCompanions: 'There is no companion here that prepares for conversations.',
    questions: 'To ask',
    checkOn: 'To check on',
    updates: 'To share',
    made: (when: string, reason: string) => `Made ${when}, ${reason}`,
    reasons: {
      session: 'after a conversation',
      daily: 'at the daily look at what is coming up',
      profile: 'after the profile was changed',
      asked: 'because somebody asked for it',
    } as Record<string, string>,
    refresh: 'Prepare again',
    prepare: 'Prepare now',
    onItsWay: 'A new one is on its way. It will appear here by itself.',
    isNew: 'Here is the new one.',
    late: 'It is taking longer than usual. What stands here is the earlier one, if there was one.',
    lookAgain: 'Look again',
    failed: 'That did not get through. Try again.',
    unreachable: 'It cannot be shown just now.',
  },

  profile: profileEnglish,

  guardian: {
    title: 'A guardian',
    hint: 'A link lets a parent or guardian read notes on this student’s conversations, once they have agreed to it.',
    name: 'Name of the guardian (may stay empty)',
    make: 'Make a link for a guardian',
    another: 'Make another link',
    made: 'The link is made',
    keyHint:
      'It is a key: whoever opens it comes in as this guardian. Hand it to that one person, and to nobody else. It is shown only now.',
    link: (name: string) => (name === '' ? 'Link for the guardian' : `Link for ${name}`),
    copy: 'Copy',
    copied: 'Copied.',
    copyByHand: 'The link is selected: copy it with Ctrl+C, or by holding a finger on it.',
    failed: 'The link could not be made. Try again.',
  },
};
