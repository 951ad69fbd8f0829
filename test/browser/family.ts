import type { Page } from 'playwright-core';
import { createCaller, type Caller } from '../fixtures/caller.ts';
import type { ServerProcess } from './server-process.ts';

export type Person = { caller: Caller; id: string; schoolId: string };
export type Family = { student: Person; guardian: Person; link: string };

/** A student, with a name or without, and a guardian whom the class's teacher has brought in. */
export async function makeFamily(server: ServerProcess, name: string | null): Promise<Family> {
  const teacher = createCaller(() => server.url, tokenIn(server.teacherLink));
  const joining = createCaller(() => server.url, '');
  const { body: joined } = await joining.json<{ token: string }>('POST', '/api/join', {
    code: server.joinCode,
    ...(name === null ? {} : { display_name: name }),
  });
  const student = await personOf(server, joined.token);
  const classes = await teacher.json<{ items: { id: string }[] }>('GET', '/api/classes');
  const path = `/api/classes/${classes.body.items[0]?.id}/guardians`;
  const { body: linked } = await teacher.json<{ link: string }>('POST', path, { student_id: student.id });
  return { student, guardian: await personOf(server, tokenIn(linked.link)), link: linked.link };
}

/** Has a page's visitor be somebody who has signed in before. */
export async function signIn(page: Page, { url }: { url: string }, { caller }: Person): Promise<void> {
  await page.context().addCookies([{ name: 'trickster', value: caller.token, url, httpOnly: true }]);
}

export function agree(caller: Caller, studentId: string, granted = true): Promise<unknown> {
  return caller.json('PUT', '/api/me/consents', { student_id: studentId, kind: 'parent_notes', granted });
}

async function personOf(server: ServerProcess, token: string): Promise<Person> {
  const caller = createCaller(() => server.url, token);
  const { body } = await caller.json<{ user_id: string; school_id: string }>('GET', '/api/me');
  return { caller, id: body.user_id, schoolId: body.school_id };
}

function tokenIn(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}
