import { Hono } from 'hono';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from './cartridge/finding.ts';
import { systemClock } from './core/clock.ts';
import { newId, newJoinCode } from './core/ids.ts';
import type { Logger } from './core/logger.ts';
import { systemRandom } from './core/random.ts';
import { defaultSettings, estimateTokens, type Settings } from './core/settings.ts';
import { CartridgeVersions } from './engine/cartridge-versions.ts';
import { FrozenPrompts } from './engine/frozen-prompts.ts';
import { LessonTurns } from './engine/lesson-turns.ts';
import { Lessons } from './engine/lessons.ts';
import type { SentenceJudge } from './engine/ports/sentence-judge.ts';
import type { FirstClass } from './engine/ports/store.ts';
import { Privacy } from './engine/privacy.ts';
import { SessionAccess } from './engine/session-access.ts';
import { TurnRunner } from './engine/turn.ts';
import { TurnStarter } from './engine/turn-start.ts';
import type { Environment } from './environment.ts';
import { composeCompanions, composeMemoryWork } from './compose-companions.ts';
import { createModels, type ModelOptions, projectRoot } from './compose-models.ts';
import { createApp } from './http/app.ts';
import type { AppEnv } from './http/authentication.ts';
import { EventStreams } from './http/event-stream.ts';
import { assetRoutes } from './http/asset-routes.ts';
import { followGuardianLink, followTeacherLink } from './http/follow-link.ts';
import { LiveSockets } from './http/live-sockets.ts';
import { listen } from './http/server.ts';
import { viewForTeacher } from './http/teacher-view.ts';
import { Tickets } from './http/tickets.ts';
import { Tokens } from './http/tokens.ts';
import { openCartridgeLibrary } from './library/cartridge-library.ts';
import { openPromptLibrary } from './library/prompt-library.ts';
import { type LexiconFinding, readSafetyFiles, requireSafety } from './library/lexicon-files.ts';
import { startSweep } from './jobs/sweep.ts';
import { privacySweeps } from './jobs/sweeps.ts';
import { createInProcessClassFeed } from './live/in-process-class-feed.ts';
import { createInProcessTurnLog } from './live/in-process-turn-log.ts';
import { readyFolders } from './ready-folders.ts';
import { compileSafety } from './safety/compile.ts';
import { forgetRecorded } from './provider/forget-recorded.ts';
import { lockFolder } from './store/sqlite/folder-lock.ts';
import { openSqliteStore } from './store/sqlite-store.ts';
import { buildAssets } from './web/assets.ts';
import { createPages } from './web/pages/pages.ts';

export type RunningServer = {
  url: string;
  port: number;
  joinCode: string;
  teacherLink: string;
  /** Lets live turns end (for a few seconds), hands over open streams, and closes everything. */
  close(): Promise<void>;
};

export type ServerOptions = ModelOptions & {
  environment: Environment;
  logger: Logger;
  /** Where the numbers that hold everywhere are to be others: tests and benchmarks. */
  settings?: Partial<Settings>;
  /** Judges whole sentences beside the filter; none unless given. */
  sentenceJudge?: SentenceJudge;
};

const drainMs = 5_000;

/** Builds the parts, checks what is on disk, and serves. Rejects with one clear sentence where it cannot. */
export async function startServer({ environment, logger, ...options }: ServerOptions): Promise<RunningServer> {
  const settings: Settings = { ...defaultSettings, ...options.settings };
  const clock = systemClock;
  const random = systemRandom;
  await using closing = new AsyncDisposableStack();

  await readyFolders(environment);
  closing.use(lockFolder(environment.dataDir));
  const store = await openSqliteStore({ file: join(environment.dataDir, 'trickster.db'), logger });
  closing.defer(() => store.close());
  const [library, promptLibrary, safetyData, assets, secret] = await Promise.all([
    openCartridgeLibrary({ folder: environment.cartridgesDir, logger, clock, watch: true }),
    openPromptLibrary({ folder: environment.promptsDir, logger, watch: true }),
    readSafetyFiles(join(projectRoot, 'data'), environment.dataDir),
    buildAssets(),
    signingSecret(environment),
  ]);
  requireSafety(safetyData.files);
  const safety = compileSafety(safetyData.files);
  const lexiconFindings = [...safetyData.findings, ...safety.problems.map(readProblem)];
  for (const { file, line, column, message } of lexiconFindings) {
    logger.error('lexicon_wrong', { file, line, column, message });
  }
  closing.use(library);
  closing.use(promptLibrary);

  const interrupted = await store.interruptLiveTurns(clock.now());
  if (interrupted > 0) logger.warn('turns_interrupted', { count: interrupted });
  const first = await store.firstClass(newSchool(clock.now()));

  const models = createModels(environment, options);
  if (secret.length < 32) logger.warn('auth_secret_short', { bytes: secret.length });
  const log = createInProcessTurnLog({ clock, keepMs: settings.turnLogKeepMs });
  const feed = createInProcessClassFeed({ epoch: newId(random) });
  const turnParts = {
    store,
    feed,
    log,
    safety,
    sentenceJudge: options.sentenceJudge ?? null,
    settings,
    limits: environment.limits,
    clock,
    random,
    logger,
    tokensOf: (text: string, language: string) => estimateTokens(text, language, settings),
  };
  const runner = new TurnRunner(turnParts);
  const versions = new CartridgeVersions(library, store);
  const access = new SessionAccess({ store, clock, feed, library, versions, ...models });
  const lessons = new Lessons({ store, clock, feed, random, library, versions, access, ...models });
  const prompts = new FrozenPrompts(promptLibrary, store);
  const starter = new TurnStarter({ ...turnParts, runner });
  const turns = new LessonTurns({ ...turnParts, ...models, starter, access, prompts });
  const memoryParts = { ...turnParts, ...models, store, cartridges: library, promptLibrary, versions };
  const work = composeMemoryWork(memoryParts);
  const companions = composeCompanions({ ...memoryParts, prompts, starter, runner, rolling: work.rolling });
  const tokens = new Tokens({
    clock,
    secret,
    identityProvider: environment.identityProvider,
    refusedUntil: async (person) => {
      const erasedAt = await store.privacy.erasedAt(person);
      return erasedAt === null ? null : erasedAt + settings.erasureSettleMs;
    },
  });
  const recordings = join(projectRoot, 'data', 'recordings');
  const tickets = new Tickets(clock, random);
  const sockets = new LiveSockets(settings, clock);
  const privacy = closing.use(
    new Privacy({
      ...turnParts,
      privacy: store.privacy,
      runner,
      ways: [tokens, tickets, sockets],
      recordings: { forget: (person) => forgetRecorded(recordings, person) },
    }),
  );
  const streams = new EventStreams(settings, clock);
  const { allowedOrigins, joinsPerMinute } = environment;
  const httpParts = {
    store,
    feed,
    turns,
    access,
    log,
    runner,
    streams,
    sockets,
    tickets,
    lessons,
    ...companions,
    companions: store.companions,
    queue: store.queue,
    prepared: store.prepared,
    cartridges: library,
    tokens,
    privacy,
    clock,
    random,
    settings,
    logger,
    allowedOrigins,
    joinsPerMinute,
  };
  const teacherParts = {
    ...httpParts,
    lessons: () => library.all().map(({ cartridge }) => cartridge),
    findings: () => [...library.findings().map(viewFinding), ...lexiconFindings.map(viewLexiconFinding)],
    companionsFor: (role: string) => companions.conversations.offered({ role }),
    timeZone: environment.timeZone,
    ai: models.models.standard.name === 'offline' ? ('offline' as const) : ('model' as const),
  };
  const pages = new Hono<AppEnv>();
  pages.get('/teacher', async (c, next) => (await followTeacherLink(c, tokens)) ?? next());
  pages.get('/guardian', async (c, next) => (await followGuardianLink(c, tokens)) ?? next());
  pages.route('/', assetRoutes(library));
  pages.route('/', createPages<AppEnv>({ assets, teacherView: (c) => viewForTeacher(c, teacherParts) }));
  closing.use(work.start(environment.timeZone));
  for (const sweep of privacySweeps(privacy)) closing.use(startSweep({ clock, logger }, sweep));
  const server = await listen(createApp({ ...httpParts, pages }), { ...environment, webSockets: sockets.server });
  closing.defer(() => server.close());
  closing.defer(async () => {
    await runner.drain(drainMs);
    // Before the turns are ended: who follows one comes back to the next server, and not to an error here.
    streams.closeAll();
    sockets.closeAll();
    await runner.interrupt();
  });

  const teacher = await tokens.sign(
    { userId: first.teacherId, role: 'teacher', schoolId: first.schoolId, classId: null, displayName: null },
    settings.tokenHours.teacher,
  );
  const held = closing.move();
  return {
    url: server.url,
    port: server.port,
    joinCode: first.class.joinCode,
    teacherLink: `${server.url}/teacher?token=${teacher.token}`,
    close: () => held.disposeAsync(),
  };
}

/** What an empty store begins with. */
function newSchool(now: number): FirstClass {
  const [schoolId, teacherId, id] = [newId(systemRandom), newId(systemRandom), newId(systemRandom)];
  const first = {
    id,
    schoolId,
    teacherId,
    title: 'My class',
    joinCode: newJoinCode(systemRandom),
    cartridgeIds: null,
    createdAt: now,
  };
  return { schoolId, schoolName: 'My school', teacherId, teacherName: 'Teacher', class: first };
}

/** A finding as the teacher's page shows it. */
function viewFinding({ severity, file, line, column, message, hint }: Finding) {
  const [id = '', ...rest] = file.split('/');
  return {
    severity,
    cartridge_id: id,
    place: `${rest.join('/')}:${line}:${column}`,
    text: hint === '' ? message : `${message} ${hint}`,
  };
}

/** A phrase that cannot be used, as the compiler tells of it: `file:line:column: what is wrong`. */
function readProblem(problem: string): LexiconFinding {
  const [, file = '', line = '1', column = '1', message = problem] = /^(.+?):(\d+):(\d+): (.*)$/su.exec(problem) ?? [];
  return { file, line: Number(line), column: Number(column), message };
}

function viewLexiconFinding({ file, line, column, message }: LexiconFinding) {
  return { severity: 'error' as const, cartridge_id: 'lexicons', place: `${file}:${line}:${column}`, text: message };
}

/** `AUTH_SECRET`, or a random secret kept beside the data, so that tokens outlive a restart. */
async function signingSecret(environment: Environment): Promise<Uint8Array> {
  if (environment.authSecret !== null) return new TextEncoder().encode(environment.authSecret);
  const file = join(environment.dataDir, 'auth-secret');
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const secret = systemRandom.bytes(32);
    await writeFile(file, secret, { mode: 0o600, flag: 'wx' });
    return secret;
  }
}
