import { counted } from './plural.ts';

const language = 'en';

export const english = {
  language: language as string,
  brand: 'Trickster',
  tagline: 'Lessons in being fooled',
  needsScript: 'This page needs JavaScript. Ask your teacher for another browser.',
  loading: 'One moment…',
  retry: 'Try again',
  chooseLanguage: 'Language',
  minutes: (count: number) => counted(language, count, { one: 'minute', other: 'minutes' }),

  join: {
    title: 'Join your class',
    intro: 'Your teacher has put a code on the board. It is all you need: no account, no e-mail.',
    code: 'Class code',
    name: 'What shall we call you?',
    nameHint: 'A first name or a nickname. You may leave it empty.',
    submit: 'Join',
    codeMissing: 'Type the code from the board.',
    codeWrong: 'No class has this code. Check it letter by letter.',
    expired: 'Your place in the class has run out. Join again with the code.',
  },

  lessons: {
    title: 'Lessons',
    greeting: (name: string) => `Hello, ${name}`,
    intro: 'Somebody in here may try to fool you. At the end of each lesson you are told what was going on.',
    start: 'Start',
    resume: 'Go on',
    none: 'Your class has no lessons yet. Your teacher can add some.',
    someoneElse: 'This is not me: join as someone else',
    companions: 'Talk with a companion',
  },

  lesson: {
    back: 'All lessons',
    paused: 'Your teacher has paused the lesson. Nothing is lost; you can go on when the teacher does.',
    changedTitle: 'This lesson was changed',
    changed: 'Somebody has edited the lesson, and the part you were in is gone. You can go on from its beginning.',
    changedGoOn: 'Go on from the beginning',
    gone: 'This lesson is not here. It may have been on another device, or too long ago.',
    choices: 'What do you do?',
    choiceFailed: 'That did not get through. Try again.',
    unknownInteraction: 'This part of the lesson cannot be shown here.',
  },

  blocks: {
    imageMissing: 'The picture is not here. This is what it shows:',
    imageDescription: 'What the picture shows',
    transcript: 'Read it as text',
    audio: 'Recording',
    video: 'Video',
    mediaMissing: 'The recording is not here, but this is what it says:',
    chat: 'Group chat',
    post: 'Post',
    source: (source: string) => `Source: ${source}`,
    likes: (count: number) => counted(language, count, { one: 'like', other: 'likes' }),
    comments: (count: number) => counted(language, count, { one: 'comment', other: 'comments' }),
    shares: (count: number) => counted(language, count, { one: 'share', other: 'shares' }),
    views: (count: number) => counted(language, count, { one: 'view', other: 'views' }),
  },

  search: {
    label: 'Search for',
    submit: 'Search',
    suggestions: 'You could search for',
    searching: 'Searching…',
    resultsFor: (query: string) => `Results for “${query}”`,
    found: (query: string, count: number) =>
      `${counted(language, count, { one: 'result', other: 'results' })} for “${query}”`,
    nothing: 'Nothing was found for these words. Try one of the suggestions.',
    findings: (found: number, needed: number) => `Key findings: ${found} of ${needed}`,
    enough: 'You have found enough to make up your mind.',
    finish: 'I have seen enough',
    failed: 'The search did not get through. Try again.',
  },

  chat: {
    conversation: 'Conversation',
    trickster: 'The Trickster',
    you: 'You',
    message: 'Your message',
    placeholder: 'Say something…',
    send: 'Send',
    stop: 'Stop',
    stopLong: 'Stop the reply',
    writing: 'The Trickster is writing…',
    stopped: 'You stopped this reply.',
    redacted: 'This reply was taken back and replaced: it broke the rules of this lesson.',
    goOn: 'Go on',
    partOver: 'This part of the lesson is over.',
    left: (count: number) => `${counted(language, count, { one: 'character', other: 'characters' })} left`,
    over: (count: number) =>
      `Too long by ${counted(language, count, { one: 'character', other: 'characters' })}. Shorten it to send it.`,
    notSent: 'What you wrote was not sent.',
    lost: 'The connection broke off. What you wrote is safe.',
    failed: 'No reply could be made. What you wrote is safe.',
    interrupted: 'The reply was cut off. What you wrote is safe.',
    tooMany: (seconds: number) =>
      `That was a lot at once. You can send again in ${counted(language, seconds, { one: 'second', other: 'seconds' })}.`,
    noAi: 'There is no AI behind these replies: they are made from the lesson itself.',
    ai: 'The Trickster is an AI playing a part. Tell it nothing private.',
    earlier: 'What you two said',
    reconnecting: 'The line is bad. Reconnecting…',
  },

  reveal: {
    outcome: {
      trickster_wins: 'The Trickster wins this round',
      partial: 'A draw',
      trickster_loses: 'You win this round',
    },
    outcomeText: {
      trickster_wins: 'That happens to everybody, and it is why we practise. See how it was done.',
      partial: 'You saw part of it. See what slipped past you.',
      trickster_loses: 'You saw it clearly. See how it was done all the same.',
    },
    ask: 'Hear how it was done',
    askHint: 'The Trickster goes through it with you, honestly: what it did, why, and what you said to it.',
    debrief: 'Without the mask',
    keyLesson: 'To take with you',
    resources: 'To read on',
    done: 'Back to the lessons',
    again: 'Play it again',
  },

  connection: {
    offline: 'No network. What you write is kept here, and it goes on when the network is back.',
    unreachable: 'The server cannot be reached just now.',
  },

  teacher: {
    signedOut: 'Open the teacher’s link that the server printed when it started.',
    goTo: 'Open this address',
    typeCode: 'and type this code',
    onlyHere:
      'Only this computer can open this address. To let the class in, start the server with HOST=0.0.0.0 and open this page by the computer’s address in the school’s network.',
    lessons: 'Lessons',
    lessonCount: (count: number) => counted(language, count, { one: 'lesson', other: 'lessons' }),
    noLessons: 'There are no lessons yet. Put one into the folder “cartridges”.',
    kinds: {
      ai_driven: 'With the character',
      hybrid: 'Character and script',
      static: 'Script only',
    } as Record<string, string>,
    companions: 'Companions',
    companionsHint: 'Characters to think with about your learners and your work.',
    toCompanions: 'To the companions',
    findings: 'What to mend in the lessons',
    noFindings: 'Nothing: no mistakes were found in the lesson files.',
    error: 'Error',
    warning: 'Warning',
    noAi: 'No AI model is set up: the server plays the character from each lesson’s own script.',
    technique: 'Technique',
  },
};
