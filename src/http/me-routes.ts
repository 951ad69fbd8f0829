import { type Context, Hono } from 'hono';
import { isoTime } from '../core/clock.ts';
import { type ConsentKind, consentKinds } from '../engine/consent.ts';
import type { CompanionStore } from '../engine/ports/companion-store.ts';
import type { Privacy } from '../engine/privacy.ts';
import { type AppEnv, dropToken } from './authentication.ts';
import { readBody } from './body.ts';
import { limitUse, type LimitParts } from './limit-use.ts';
import { consentRequest } from './me-protocol.ts';
import { HttpProblem } from './problem.ts';
import type { Identity } from './tokens.ts';

export type MeRouteParts = LimitParts & {
  privacy: Privacy;
  companions: CompanionStore;
};

type Person = { id: string; name: string | null };

/** What is held about the caller, for them to have, to erase, and to agree to. */
export function meRoutes({ privacy, companions, store, clock }: MeRouteParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get('/me/export', async (c) => {
    const { schoolId, userId } = c.get('identity');
    await limitUse({ store, clock }, 'exports', { schoolId, userId });
    c.header('Content-Disposition', 'attachment; filename="trickster-export.json"');
    return c.json(await privacy.export({ schoolId, userId }));
  });

  app.delete('/me', async (c) => {
    const receipt = await privacy.erase(c.get('identity'));
    dropToken(c);
    return c.json(receipt);
  });

  app.post('/sign-out', (c) => {
    dropToken(c);
    return c.body(null, 204);
  });

  app.get('/me/consents', async (c) => c.json(await viewConsents(c)));

  app.put('/me/consents', async (c) => {
    const identity = c.get('identity');
    const body = await readBody(c, consentRequest);
    const student = chooseStudent(identity, await inCareOf(identity), body.student_id ?? null);
    const wanted: readonly (readonly [ConsentKind, boolean])[] =
      'consents' in body
        ? consentKinds.flatMap((kind) => {
            const granted = body.consents[kind];
            return granted === undefined ? [] : [[kind, granted] as const];
          })
        : [[body.kind, body.granted]];
    if (identity.role === 'student' && wanted.some(([, granted]) => granted))
      throw invalid('granted', 'must be false: to agree is for those who care for you, and you may take it back');
    for (const [kind, isGranted] of wanted) {
      const consent = { studentId: student.id, kind, isGranted, byUser: identity.userId, changedAt: clock.now() };
      await companions.keepConsent(identity.schoolId, consent);
    }
    return c.json(await viewConsents(c));
  });

  /** Whose consents the caller sees: a guardian their children's, a student their own. */
  async function inCareOf(identity: Identity): Promise<Person[]> {
    const { schoolId, userId, role, displayName } = identity;
    if (role === 'student') return [{ id: userId, name: displayName }];
    if (role !== 'guardian') throw new HttpProblem('NOT_FOUND');
    const children = await companions.childrenOf({ schoolId, userId });
    return children.map(({ studentId, studentName }) => ({ id: studentId, name: studentName }));
  }

  async function viewConsents(c: Context<AppEnv>) {
    const identity = c.get('identity');
    const people = await inCareOf(identity);
    const items = await Promise.all(
      people.map(async ({ id, name }) => {
        const consents = await companions.consents(identity.schoolId, id);
        return consentKinds.map((kind) => {
          const said = consents.find((consent) => consent.kind === kind);
          return {
            student_id: id,
            student_name: name,
            kind,
            granted: said?.isGranted ?? false,
            changed_at: said ? isoTime(said.changedAt) : null,
            by: said?.byUser ?? null,
          };
        });
      }),
    );
    return { items: items.flat() };
  }

  return app;
}

/** The student that is meant; with no id the only one there is. */
function chooseStudent({ role }: Identity, people: readonly Person[], id: string | null): Person {
  const [first, ...others] = people;
  if (id === null && others.length > 0 && role === 'guardian')
    throw invalid('student_id', 'must say which child: there are several in your care');
  const student = id === null ? first : people.find((person) => person.id === id);
  if (!student) throw new HttpProblem('NOT_FOUND');
  return student;
}

function invalid(path: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_REQUEST', { errors: [{ path, message }] });
}
