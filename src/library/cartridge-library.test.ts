import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Edit, lessonText } from '../cartridge/lesson-fixture.ts';
import { SimulatedClock, systemClock } from '../core/clock.ts';
import { type LogFields, type Logger, silentLogger } from '../core/logger.ts';
import { openCartridgeLibrary, type OpenCartridgeLibrary } from './cartridge-library.ts';
import { temporaryFolder } from './temporary-folder.ts';

const noAssets: Edit[] = [
  [['presentation_blocks', 1], { id: 'photo', type: 'text', text: '' }],
  [['presentation_blocks', 3, 'image'], undefined],
];

/** The text of a lesson with this id and title, which needs no files. */
function lesson(id: string, title = 'A title', ...edits: Edit[]): string {
  return lessonText([['task_id'], id], [['title'], title], ...noAssets, ...edits);
}

function open(folder: string, options: { watch?: boolean; clock?: SimulatedClock; logger?: Logger } = {}) {
  const { watch = false, clock = systemClock, logger = silentLogger } = options;
  return openCartridgeLibrary({ folder, watch, clock, logger });
}

/** Resolves once `isSo`, looking at every change of the library. */
function until(library: OpenCartridgeLibrary, isSo: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = library.onChange(() => void (isSo() && resolve()));
  if (isSo()) resolve();
  return promise.finally(() => listening[Symbol.dispose]());
}

const titleOf = (library: OpenCartridgeLibrary, id: string) => library.get(id)?.cartridge.title;
const hasError = (library: OpenCartridgeLibrary) => library.findings().some(({ severity }) => severity === 'error');

describe('an opened folder', () => {
  it('serves its cartridges by id, in order, with text, hash and assets', async () => {
    await using folder = await temporaryFolder();
    await folder.write('b-lesson/task.json', lesson('b-lesson'));
    await folder.write('a-lesson/cartridge.json', lessonText([['task_id'], 'a-lesson']));
    await folder.write('a-lesson/assets/soup.png', 'png');
    await folder.write('a-lesson/assets/deep/er/post.png', 'png');
    await folder.write('a-lesson/assets/.DS_Store', 'x');
    await folder.write('.git/config', 'x');
    await folder.write('README.md', 'x');
    await using library = await open(folder.path);
    const text = await readFile(folder.at('a-lesson', 'cartridge.json'), 'utf8');
    expect(library.all().map(({ cartridge }) => cartridge.task_id)).toEqual(['a-lesson', 'b-lesson']);
    expect(library.get('a-lesson')).toMatchObject({ text, hash: createHash('sha256').update(text).digest('hex') });
    expect([...(library.get('a-lesson')?.assets ?? [])].toSorted()).toEqual([
      'assets/deep/er/post.png',
      'assets/soup.png',
      'deep/er/post.png',
      'soup.png',
    ]);
    expect(library.get('c-lesson')).toBeNull();
    expect(library.findings()).toMatchObject([
      { severity: 'warning', file: folder.at('a-lesson', 'cartridge.json'), path: 'presentation_blocks[3].image' },
    ]);
  });

  it('serves the others where one is bad, and says what is wrong in which file', async () => {
    await using folder = await temporaryFolder();
    await folder.write('good/cartridge.json', lesson('good'));
    await folder.write('broken/cartridge.json', '{ "title": ');
    await folder.write('renamed/cartridge.json', lesson('another'));
    await folder.write('empty/notes.txt', '');
    const logged: [string, LogFields | undefined][] = [];
    const note = (event: string, fields?: LogFields) => void logged.push([event, fields]);
    await using library = await open(folder.path, { logger: { info: note, warn: note, error: note } });
    expect(library.all().map(({ cartridge }) => cartridge.task_id)).toEqual(['good']);
    expect(library.findings().map(({ severity, file, line }) => [severity, file, line])).toEqual([
      ['error', folder.at('broken', 'cartridge.json'), 1],
      ['warning', folder.at('empty', 'cartridge.json'), 1],
      ['error', folder.at('renamed', 'cartridge.json'), 2],
    ]);
    expect(logged).toContainEqual([
      'cartridge_faulty',
      expect.objectContaining({ file: folder.at('broken', 'cartridge.json'), line: 1 }),
    ]);
    expect(logged).toContainEqual(['cartridges_read', { folder: folder.path, served: 1, errors: 2, warnings: 1 }]);
  });

  it('refuses files that are too large, no text, or elsewhere', async () => {
    await using folder = await temporaryFolder();
    await folder.write('lib/large/cartridge.json', `${lesson('large')}${' '.repeat(2 * 1024 * 1024)}`);
    await folder.write('lib/utf16/cartridge.json', Buffer.from(`\uFEFF${lesson('utf16')}`, 'utf16le'));
    await folder.write('elsewhere.json', lesson('linked'));
    await mkdir(folder.at('lib', 'linked'));
    await symlink(folder.at('elsewhere.json'), folder.at('lib', 'linked', 'cartridge.json'));
    await using library = await open(folder.at('lib'));
    expect(library.all()).toEqual([]);
    expect(library.findings().map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      expect.stringMatching(/larger than 2048 KiB/u),
      expect.stringMatching(/link to a file outside the folder.*Copy/u),
      expect.stringMatching(/not UTF-8.*encoding UTF-8/u),
    ]);
  });

  it('reads cartridge.json where task.json is there as well, and says so', async () => {
    await using folder = await temporaryFolder();
    await folder.write('two/cartridge.json', lesson('two', 'First'));
    await folder.write('two/task.json', lesson('two', 'Second'));
    await using library = await open(folder.path);
    expect(titleOf(library, 'two')).toBe('First');
    expect(library.findings()).toMatchObject([{ severity: 'warning', file: folder.at('two', 'task.json') }]);
  });

  it('warns of prerequisites that are not there, where they stand', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one'));
    await folder.write('two/cartridge.json', lesson('two', 'Two', [['prerequisites'], [null, 'one', 'nought']]));
    await using library = await open(folder.path);
    expect(library.findings()).toMatchObject([
      { severity: 'warning', path: 'prerequisites[2]', message: 'There is no cartridge "nought" here.', column: 5 },
    ]);
  });

  it('that is not there is told of, and serves nothing', async () => {
    await using library = await open('/nowhere/at/all');
    expect(library.all()).toEqual([]);
    expect(library.findings()).toMatchObject([{ severity: 'error', file: '/nowhere/at/all' }]);
  });
});

describe('an asset', () => {
  it('is found under either of its names, and nothing outside the assets is', async () => {
    await using folder = await temporaryFolder();
    await folder.write('secret.txt', 'secret');
    await folder.write('lib/one/cartridge.json', lesson('one'));
    await folder.write('lib/one/assets/a b.png', 'png');
    await folder.write('lib/one/assets/\u0105.png'.normalize('NFD'), 'png');
    await folder.write('lib/two/cartridge.json', '{}');
    await folder.write('lib/two/assets/x.png', 'png');
    const assets = folder.at('lib', 'one', 'assets');
    await symlink(folder.at('secret.txt'), `${assets}/linked.txt`);
    await symlink(folder.path, `${assets}/linked`);
    await symlink(`${assets}/a b.png`, `${assets}/inside.png`);
    await using library = await open(folder.at('lib'));
    const find = (path: string, id = 'one') => library.readAssetPath(id, path);
    expect(await find('a b.png')).toBe(`${assets}/a b.png`);
    expect(await find('assets/a b.png')).toBe(`${assets}/a b.png`);
    expect(await find('./a b.png')).toBe(`${assets}/a b.png`);
    expect(await find('inside.png')).toBe(`${assets}/a b.png`);
    expect(await find('\u0105.png')).toBe(`${assets}/${'\u0105.png'.normalize('NFD')}`);
    for (const path of [
      'cartridge.json',
      '../cartridge.json',
      'assets/../cartridge.json',
      '..',
      '',
      'linked.txt',
      'linked/secret.txt',
      '/etc/passwd',
      `${assets}/a b.png`,
      'a b.png\0',
      '__proto__',
    ]) {
      expect([path, await find(path)]).toEqual([path, null]);
    }
    expect(await find('x.png', 'two')).toBeNull();
    expect(await find('a b.png', '../lib/one')).toBeNull();
    expect(library.get('one')?.assets.has('linked.txt')).toBe(false);
  });

  it('that was swapped for a link after it was listed is not given away', async () => {
    await using folder = await temporaryFolder();
    await folder.write('secret.txt', 'secret');
    await folder.write('lib/one/cartridge.json', lesson('one'));
    await folder.write('lib/one/assets/a.png', 'png');
    await using library = await open(folder.at('lib'));
    await rm(folder.at('lib', 'one', 'assets', 'a.png'));
    expect(await library.readAssetPath('one', 'a.png')).toBeNull();
    await symlink(folder.at('secret.txt'), folder.at('lib', 'one', 'assets', 'a.png'));
    expect(await library.readAssetPath('one', 'a.png')).toBeNull();
  });

  it('is not served from an assets folder that is a link to elsewhere', async () => {
    await using folder = await temporaryFolder();
    await folder.write('elsewhere/a.png', 'png');
    await folder.write('lib/one/cartridge.json', lesson('one'));
    await symlink(folder.at('elsewhere'), folder.at('lib', 'one', 'assets'));
    await using library = await open(folder.at('lib'));
    expect(library.get('one')?.assets.size).toBe(0);
    expect(await library.readAssetPath('one', 'a.png')).toBeNull();
  });
});

describe('while it is watched', () => {
  it('an edit is served, and the listeners hear which cartridge it was', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one', 'Before'));
    await folder.write('two/cartridge.json', lesson('two'));
    await using library = await open(folder.path, { watch: true });
    const heard: string[] = [];
    using _listening = library.onChange((changed) => void heard.push(...changed));
    await folder.write('one/cartridge.json', lesson('one', 'After'));
    await until(library, () => titleOf(library, 'one') === 'After');
    expect(new Set(heard)).toEqual(new Set(['one']));
  });

  it('a bad edit is told of, and the last good version goes on being served', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one', 'Good'));
    await using library = await open(folder.path, { watch: true });
    const good = library.get('one');
    await folder.write('one/cartridge.json', lesson('one', 'Bad', [['phases'], 'none']));
    await until(library, () => hasError(library));
    expect(library.get('one')).toEqual(good);
    await folder.write('one/cartridge.json', lesson('one', 'Better'));
    await until(library, () => titleOf(library, 'one') === 'Better');
    expect(library.findings()).toEqual([]);
  });

  it('half a save, or an empty file, does not take a lesson away', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one', 'Good'));
    await using library = await open(folder.path, { watch: true });
    const text = lesson('one', 'Whole');
    const seen = new Set<string | undefined>();
    using _listening = library.onChange(() => void seen.add(titleOf(library, 'one')));
    await folder.write('one/cartridge.json', '');
    await until(library, () => hasError(library));
    await folder.write('one/cartridge.json', text.slice(0, text.length / 2));
    await until(library, () => library.findings().some(({ line }) => line > 1));
    await folder.write('one/cartridge.json', text);
    await until(library, () => titleOf(library, 'one') === 'Whole');
    expect(seen).toEqual(new Set(['Good', 'Whole']));
  });

  it('an editor may save by renaming', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one', 'Before'));
    await using library = await open(folder.path, { watch: true });
    for (const title of ['After', 'After that']) {
      await folder.write('one/cartridge.json~', lesson('one', title));
      await rename(folder.at('one', 'cartridge.json~'), folder.at('one', 'cartridge.json'));
      await until(library, () => titleOf(library, 'one') === title);
    }
    expect(library.findings()).toEqual([]);
  });

  it('a new folder is served, and one that is removed is not', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one'));
    await using library = await open(folder.path, { watch: true });
    await folder.write('two/cartridge.json', lesson('two'));
    await until(library, () => library.all().length === 2);
    await rm(folder.at('one'), { recursive: true });
    await until(library, () => library.get('one') === null);
    expect(library.all().map(({ cartridge }) => cartridge.task_id)).toEqual(['two']);
    await rm(folder.at('two', 'cartridge.json'));
    await until(library, () => library.get('two') === null);
    expect(library.findings()).toMatchObject([
      { severity: 'warning', message: 'There is no cartridge.json in this folder.' },
    ]);
  });

  it('an asset that comes is there, and its warning is gone', async () => {
    await using folder = await temporaryFolder();
    await folder.write('soup-headline/cartridge.json', lessonText([['presentation_blocks', 3, 'image'], undefined]));
    await using library = await open(folder.path, { watch: true });
    expect(library.findings()).toHaveLength(1);
    await folder.write('soup-headline/assets/soup.png', 'png');
    await until(library, () => library.findings().length === 0);
    expect(library.get('soup-headline')?.assets.has('soup.png')).toBe(true);
    expect(await library.readAssetPath('soup-headline', 'soup.png')).toBe(
      folder.at('soup-headline', 'assets', 'soup.png'),
    );
  });

  it('a save that changes nothing is not a change', async () => {
    await using folder = await temporaryFolder();
    await folder.write('one/cartridge.json', lesson('one'));
    await folder.write('two/cartridge.json', lesson('two'));
    await using library = await open(folder.path, { watch: true });
    const before = library.get('one');
    const heard: string[] = [];
    using _listening = library.onChange((changed) => void heard.push(...changed));
    await folder.write('same.tmp', lesson('one'));
    await rename(folder.at('same.tmp'), folder.at('one', 'cartridge.json'));
    await folder.write('two/cartridge.json', lesson('two', 'Another'));
    await until(library, () => titleOf(library, 'two') === 'Another');
    expect(heard).not.toContain('one');
    expect(library.get('one')).toBe(before);
  });

  it('the folder may be replaced by another', async () => {
    await using folder = await temporaryFolder();
    await folder.write('lib/one/cartridge.json', lesson('one'));
    await folder.write('next/two/cartridge.json', lesson('two', 'Before'));
    await using library = await open(folder.at('lib'), { watch: true });
    await rename(folder.at('lib'), folder.at('old'));
    await rename(folder.at('next'), folder.at('lib'));
    await until(library, () => library.get('two') !== null && library.get('one') === null);
    await folder.write('lib/two/cartridge.json', lesson('two', 'After'));
    await until(library, () => titleOf(library, 'two') === 'After');
  });

  it('the folder may go away for a while, in which everything stays as it was', async () => {
    await using folder = await temporaryFolder();
    await folder.write('lib/one/cartridge.json', lesson('one', 'Before'));
    await using library = await open(folder.at('lib'), { watch: true });
    await rename(folder.at('lib'), folder.at('away'));
    await until(library, () => hasError(library));
    expect(titleOf(library, 'one')).toBe('Before');
    await folder.write('lib/one/cartridge.json', lesson('one', 'After'));
    await until(library, () => titleOf(library, 'one') === 'After');
    expect(library.findings()).toEqual([]);
  });

  it('the folder may come later', async () => {
    await using folder = await temporaryFolder();
    await using library = await open(folder.at('lib'), { watch: true });
    await folder.write('lib/one/cartridge.json', lesson('one'));
    await until(library, () => library.get('one') !== null);
  });

  it('the folder may be a link, and be turned to another', async () => {
    await using folder = await temporaryFolder();
    await folder.write('v1/one/cartridge.json', lesson('one', 'First'));
    await folder.write('v2/one/cartridge.json', lesson('one', 'Second'));
    await symlink(folder.at('v1'), folder.at('lib'));
    await using library = await open(folder.at('lib'), { watch: true });
    expect(titleOf(library, 'one')).toBe('First');
    await symlink(folder.at('v2'), folder.at('lib-next'));
    await rename(folder.at('lib-next'), folder.at('lib'));
    await until(library, () => titleOf(library, 'one') === 'Second');
    await folder.write('v2/one/cartridge.json', lesson('one', 'Third'));
    await until(library, () => titleOf(library, 'one') === 'Third');
  });

  it('what no event tells is found by looking again', async () => {
    await using folder = await temporaryFolder();
    await folder.write('elsewhere/one/cartridge.json', lesson('one', 'Before'));
    await mkdir(folder.at('lib'));
    await symlink(folder.at('elsewhere', 'one'), folder.at('lib', 'one'));
    const clock = new SimulatedClock();
    await using library = await open(folder.at('lib'), { watch: true, clock });
    expect(titleOf(library, 'one')).toBe('Before');
    await writeFile(folder.at('elsewhere', 'one', 'cartridge.json'), lesson('one', 'After'));
    const changed = until(library, () => titleOf(library, 'one') === 'After');
    clock.advance(30_000);
    await changed;
  });

  it('a listener that throws keeps no other from hearing', async () => {
    await using folder = await temporaryFolder();
    await using library = await open(folder.path, { watch: true });
    using _faulty = library.onChange(() => {
      throw new Error('listener');
    });
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    using _listening = library.onChange(resolve);
    await folder.write('one/cartridge.json', lesson('one'));
    expect(await promise).toContain('one');
  });
});
