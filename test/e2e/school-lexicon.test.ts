import { expect, it } from 'vitest';
import { startModelServer } from '../fixtures/model-server.ts';
import { says } from '../fixtures/scripted-upstream.ts';

const entry = (id: string, phrase: string) => ({ id, phrase, category: 'local', severity: 1, source: 'the school' });

it('a school adds its own words, and sees on the teacher’s page which of them cannot be used', async () => {
  const lexicon = {
    language: 'en',
    boundary: 'self_harm',
    entries: [entry('s-1', 'purple giraffe'), entry('s-2', 'not* a word')],
  };
  await using house = await startModelServer({
    files: { 'data/lexicons/en/self_harm.json': JSON.stringify(lexicon, null, 2) },
  });
  const student = await house.server.join();
  const { session_id: id } = await student.talk();
  house.upstream.respondWith(says('Look, ', 'a ', 'purple ', 'giraffe.'));
  expect((await student.say(id, 'Where?')).last).toMatchObject({ event: 'redact', data: { boundary: 'self_harm' } });
  const teacher = await house.server.teacher();
  const page = await (
    await fetch(`${house.server.url}/teacher`, { headers: { cookie: `trickster=${teacher.token}` } })
  ).text();
  expect(page).toContain('self_harm.json:12:5');
});
