import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lessonText } from '../cartridge/lesson-fixture.ts';
import { checkCartridges } from './check.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

async function writeLessons(folder: TemporaryFolder): Promise<void> {
  await folder.write('soup-headline/cartridge.json', lessonText([['prerequisites'], ['nought']]));
  await folder.write('soup-headline/assets/soup.png', 'png');
  await folder.write('soup-headline/assets/post.png', 'png');
  await folder.write('bad-lesson/task.json', lessonText([['task_id'], 'bad-lesson'], [['title'], 5]));
}

it('checks a whole folder, prerequisites included', async () => {
  await using folder = await temporaryFolder();
  await writeLessons(folder);
  const { findings, cartridges } = await checkCartridges(folder.path);
  expect(cartridges).toBe(2);
  expect(findings.map(({ severity, file, path }) => [severity, file, path])).toEqual([
    ['error', folder.at('bad-lesson', 'task.json'), 'title'],
    ['warning', folder.at('soup-headline', 'cartridge.json'), 'prerequisites[0]'],
  ]);
});

it('checks one cartridge by its folder or its file', async () => {
  await using folder = await temporaryFolder();
  await writeLessons(folder);
  expect(await checkCartridges(folder.at('soup-headline'))).toEqual({ findings: [], cartridges: 1 });
  expect(await checkCartridges(folder.at('soup-headline', 'cartridge.json'))).toEqual({ findings: [], cartridges: 1 });
  const bad = await checkCartridges(folder.at('bad-lesson', 'task.json'));
  expect(bad).toMatchObject({
    cartridges: 1,
    findings: [{ file: folder.at('bad-lesson', 'task.json'), path: 'title' }],
  });
});

it('says so where there is nothing to check', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.at('empty'));
  await folder.write('notes/today/notes.txt', '');
  await folder.write('notes.txt', '');
  const said = async (name: string) => {
    const { findings, cartridges } = await checkCartridges(folder.at(name));
    expect([cartridges, findings[0]?.severity, findings[0]?.file]).toEqual([0, 'error', folder.at(name)]);
    return findings[0]?.message;
  };
  expect(await said('missing')).toBe('There is no such file or folder.');
  expect(await said('empty')).toBe('There is no cartridge in this folder.');
  expect(await said('notes')).toBe('There is no cartridge in this folder.');
  expect(await said('notes.txt')).toBe('This is not a cartridge.json.');
});

it('finds the lessons that are shipped without an error', async () => {
  const { findings, cartridges } = await checkCartridges(join(import.meta.dirname, '..', '..', 'cartridges'));
  expect(cartridges).toBeGreaterThan(0);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
