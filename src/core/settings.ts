/** The numbers that hold everywhere, in one place. The composition root may override any of them. */
export const defaultSettings = {
  /** The whole prompt of one call: system text, messages and tools. */
  promptBudgetTokens: 100_000,
  /** Characters a token stands for, by language; `other` where the language is not listed. */
  charactersPerToken: { lt: 3, en: 4, other: 3 } as Readonly<Record<string, number>>,
  messageCharacters: 8_000,
  bodyBytes: 64 * 1024,
  displayNameCharacters: 40,
  /** How long a model may think before its first token, and how long a whole turn may take. */
  firstTokenTimeoutMs: 20_000,
  turnTimeoutMs: 120_000,
  /** A reply is cut here, whatever the model goes on to say. */
  replyCharacters: 20_000,
  modelAttempts: 3,
  retryBaseMs: 400,
  /** Objectives are made from what the other work on an ended conversation leaves, and so this much later. */
  objectivesDelayMs: 5_000,
  /** How long the first reply of a conversation waits for what is being remembered of those before it. */
  rememberWaitMs: 4_000,
  /** How often it is looked for conversations that nobody has touched for their time. */
  idleSweepMs: 10_000,
  /** How often in one turn a model may call tools before it has to answer. */
  toolRounds: 5,
  heartbeatMs: 15_000,
  /** What an event stream's client is told to wait before it reconnects. */
  reconnectMs: 2_000,
  /** What may wait for one slow client before it is cut off, to resume later. */
  clientBacklogBytes: 256 * 1024,
  /** How long a finished turn's log stays in memory; later resumes are served from the settled exchange. */
  turnLogKeepMs: 120_000,
  tokenHours: { student: 24, teacher: 24 * 30, guardian: 24 * 30 },
  /** How long a lesson's words are kept after its end, or after it was left; 0 is for ever. */
  lessonTextHours: 24,
  /** How long what was under way when someone was erased may still write of them: they are erased once more then. */
  erasureSettleMs: 150_000,
  /** How many earlier lessons' outcomes `full_history` adds. */
  historyLessons: 3,
  /** How many earlier lessons `learning_profile` counts. */
  profileLessons: 50,
  /** A job that failed so often has failed for good. */
  jobAttempts: 5,
  /** How many jobs one process works on at once. */
  jobConcurrency: 2,
  /** How long a job stays with a worker that no longer says that it lives. */
  jobLeaseMs: 60_000,
  /** How often the queue is looked at for jobs that another process put in. */
  jobPollMs: 2_000,
  /** The pause after a job's first failure; it doubles with each further one: five tries outlast five minutes of outage. */
  jobRetryBaseMs: 20_000,
  jobRetryLongestMs: 600_000,
  /** How long jobs may take to stop when the process goes down. */
  jobStopMs: 3_000,
} as const;

type Widened<T> = T extends number
  ? number
  : T extends Readonly<Record<string, number>>
    ? { readonly [Key in keyof T]: number }
    : T;

/** The settings in force. */
export type Settings = { readonly [Key in keyof typeof defaultSettings]: Widened<(typeof defaultSettings)[Key]> };

/** Tokens `text` is taken to cost: `ceil(characters / ratio)`, the ratio being the language's. */
export function estimateTokens(
  text: string,
  language: string,
  settings: Pick<Settings, 'charactersPerToken'> = defaultSettings,
): number {
  const ratios = settings.charactersPerToken;
  return Math.ceil(text.length / (ratios[language] ?? ratios['other'] ?? 3));
}
