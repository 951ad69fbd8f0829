import { call, runAll } from './load.ts';

/** Joins the class and makes `count` sessions that stand in their conversation. */
export async function makeSessions(
  url: string,
  joinCode: string,
  count: number,
): Promise<{ token: string; sessions: string[] }> {
  const { token } = JSON.parse(await call({ url: `${url}/api/join`, method: 'POST', body: { code: joinCode } })) as {
    token: string;
  };
  const sessions: string[] = [];
  const make = async () => {
    const made = await call({
      url: `${url}/api/sessions`,
      method: 'POST',
      token,
      body: { cartridge_id: 'test-lesson' },
    });
    const { session_id: id } = JSON.parse(made) as { session_id: string };
    await call({ url: `${url}/api/sessions/${id}/choice`, method: 'POST', token, body: { choice: 0 } });
    sessions.push(id);
  };
  await runAll(
    Array.from({ length: count }, () => make),
    50,
  );
  return { token, sessions };
}

/** One turn of a session, read to its end. */
export function respond(
  url: string,
  token: string,
  sessionId: string,
  onText?: (text: string) => void,
): Promise<string> {
  return call({
    url: `${url}/api/sessions/${sessionId}/respond`,
    method: 'POST',
    token,
    body: { message: 'Is the hurry real?' },
    ...(onText ? { onText } : {}),
  });
}
