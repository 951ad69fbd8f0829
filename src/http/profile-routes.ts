import { type Context, Hono } from 'hono';
import { isoTime } from '../core/clock.ts';
import { askForObjectives, preparedCompanions } from '../engine/objectives-job.ts';
import { readObjectives } from '../engine/objectives.ts';
import type { CartridgeLibrary } from '../engine/ports/library.ts';
import type { ObjectivesRecord, PreparedStore } from '../engine/ports/prepared-store.ts';
import type { Queue } from '../engine/ports/queue.ts';
import { isSignificant, type Profile, readProfile } from '../engine/profile.ts';
import { type AppEnv, requireRole } from './authentication.ts';
import { readBody } from './body.ts';
import { limitUse, type LimitParts } from './limit-use.ts';
import { objectivesQuery, profileRequest, refreshRequest } from './prepared-protocol.ts';
import { HttpProblem } from './problem.ts';
import { readQuery } from './read-query.ts';

export type ProfileRouteParts = LimitParts & {
  prepared: PreparedStore;
  cartridges: CartridgeLibrary;
  queue: Queue;
};

type Student = { schoolId: string; userId: string };

/** How often a save that names no version is tried while others save. */
const saveAttempts = 5;

/** Profiles and what companions prepare from them (seed 000), below `/api`. */
export function profileRoutes(parts: ProfileRouteParts): Hono<AppEnv> {
  const { prepared, cartridges, clock } = parts;
  const app = new Hono<AppEnv>();

  app.get('/profiles/:user', async (c) => {
    const student = await studentOf(c, c.req.param('user'));
    return view(c, student);
  });

  app.put('/profiles/:user', async (c) => {
    const student = await studentOf(c, c.req.param('user'));
    const { profile, version } = await readBody(c, profileRequest);
    await limitUse(parts, 'profiles', c.get('identity'));
    const expected = expectedVersion(c, version ?? null);
    const before = await save(student, { profile, expected, updatedBy: c.get('identity').userId });
    if (isSignificant(before, profile))
      await askForObjectives(parts, student, { cartridgeIds: cartridgeIds(), reason: 'profile' });
    return view(c, student);
  });

  app.get('/objectives', async (c) => {
    requireRole(c, 'teacher', 'facilitator', 'admin');
    const { user_id: userId, cartridge_id: cartridgeId } = readQuery(c, objectivesQuery);
    const { schoolId } = await studentOf(c, userId);
    const all = await prepared.allObjectives(schoolId, userId);
    const items = all.filter((each) => cartridgeId === undefined || each.cartridgeId === cartridgeId);
    return c.json({ user_id: userId, items: items.map(viewObjectives) });
  });

  app.post('/objectives/refresh', async (c) => {
    const staff = requireRole(c, 'teacher', 'facilitator', 'admin');
    const { user_id: userId, cartridge_id: cartridgeId } = await readBody(c, refreshRequest);
    const student = await studentOf(c, userId);
    const ids = cartridgeIds().filter((id) => !cartridgeId || id === cartridgeId);
    if (cartridgeId && ids.length === 0) throw new HttpProblem('NOT_FOUND');
    await limitUse(parts, 'refreshes', staff);
    await askForObjectives(parts, student, { cartridgeIds: ids, reason: 'asked' });
    return c.json({ user_id: userId, cartridge_ids: ids, status: 'queued' }, 202);
  });

  /** The student, where the caller may know of them: themself, the school's staff, a teacher of theirs. */
  async function studentOf(c: Context<AppEnv>, userId: string): Promise<Student> {
    const identity = requireRole(c, 'student', 'teacher', 'facilitator', 'admin');
    const { schoolId, role } = identity;
    const mayKnow =
      role === 'student'
        ? userId === identity.userId
        : role !== 'teacher' || (await prepared.teaches({ schoolId, userId: identity.userId }, userId));
    if (!mayKnow || userId.length > 200) throw new HttpProblem('NOT_FOUND');
    return { schoolId, userId };
  }

  async function view(c: Context<AppEnv>, { schoolId, userId }: Student): Promise<Response> {
    const kept = await prepared.profile(schoolId, userId);
    const version = kept?.version ?? 0;
    c.header('ETag', `"${version}"`);
    const profile = (kept && readProfile(kept.profile)) ?? {};
    return c.json({ user_id: userId, profile, version, updated_at: kept && isoTime(kept.updatedAt) });
  }

  /** Saves where the profile is at the version expected, or at any; gives what there was before. */
  async function save(
    { schoolId, userId }: Student,
    { profile, expected, updatedBy }: { profile: Profile; expected: Expected; updatedBy: string },
  ): Promise<Profile | null> {
    let version = 0;
    for (let attempt = 0; attempt < saveAttempts; attempt += 1) {
      const kept = await prepared.profile(schoolId, userId);
      version = kept?.version ?? 0;
      if (expected === 'existing' && version === 0) break;
      const isAny = expected === 'any' || expected === 'existing';
      if (!isAny && expected !== version) break;
      const change = { profile: JSON.stringify(profile), expectedVersion: version, updatedBy, now: clock.now() };
      if ((await prepared.saveProfile(schoolId, userId, change)) === 'saved') return kept && readProfile(kept.profile);
    }
    throw new HttpProblem('CHANGED_MEANWHILE', { version });
  }

  function cartridgeIds(): string[] {
    return preparedCompanions(cartridges).map(({ id }) => id);
  }

  return app;
}

type Expected = number | 'any' | 'existing';

/** The version a save is for, from its body or `If-Match`; where both name one, they have to agree. */
function expectedVersion(c: Context<AppEnv>, version: number | null): Expected {
  const header = c.req.header('if-match')?.trim();
  if (header === undefined || header === '') return version ?? 'any';
  if (header === '*') return version ?? 'existing';
  const named = /^"(\d{1,15})"$/u.exec(header)?.[1];
  if (named === undefined) throw invalid('If-Match', 'must be the ETag of a profile, like "3", or *');
  if (version !== null && version !== Number(named))
    throw invalid('version', 'must be the version that If-Match names');
  return Number(named);
}

function viewObjectives({ cartridgeId, objectives, reason, generatedAt }: ObjectivesRecord) {
  const { priorityQuestions, checkOn, updatesToShare } = readObjectives(objectives);
  return {
    cartridge_id: cartridgeId,
    objectives: { priority_questions: priorityQuestions, check_on: checkOn, updates_to_share: updatesToShare },
    reason,
    generated_at: isoTime(generatedAt),
  };
}

function invalid(path: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_REQUEST', { errors: [{ path, message }] });
}
