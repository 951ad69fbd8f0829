import { createHash } from 'node:crypto';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { type LogFields, type Logger, silentLogger } from '../core/logger.ts';
import { openPromptLibrary } from './prompt-library.ts';
import { temporaryFolder } from './temporary-folder.ts';

function open(folder: string, logger: Logger = silentLogger) {
  return openPromptLibrary({ folder, logger, watch: false });
}

describe('a prompt', () => {
  it("is the lesson's own, else the default, else none", async () => {
    await using folder = await temporaryFolder();
    await folder.write('default/persona.md', 'You are the Trickster.');
    await folder.write('default/safety.md', 'Harm nobody.');
    await folder.write('tasks/click-trap/persona.md', 'You wrote the headline.');
    await folder.write('tasks/click-trap/persona.narrator.md', 'You tell the story.');
    await using prompts = await open(folder.path);
    expect(prompts.resolve('click-trap', 'persona')).toEqual({
      source: 'prompts/tasks/click-trap/persona.md',
      text: 'You wrote the headline.',
      hash: createHash('sha256').update('You wrote the headline.').digest('hex'),
    });
    expect(prompts.resolve('click-trap', 'persona.narrator')?.source).toBe(
      'prompts/tasks/click-trap/persona.narrator.md',
    );
    expect(prompts.resolve('click-trap', 'safety')?.source).toBe('prompts/default/safety.md');
    expect(prompts.resolve('another', 'persona')?.source).toBe('prompts/default/persona.md');
    expect(prompts.resolve('click-trap', 'openai')).toBeNull();
  });

  it('of a directory written in full is found as well', async () => {
    await using folder = await temporaryFolder();
    await folder.write('tasks/click-trap/persona.md', 'You wrote the headline.');
    await using prompts = await open(folder.path);
    expect(prompts.resolve('prompts/tasks/click-trap/', 'persona')?.source).toBe('prompts/tasks/click-trap/persona.md');
  });

  it('without a visible character counts as absent', async () => {
    await using folder = await temporaryFolder();
    await folder.write('default/persona.md', 'You are the Trickster.');
    await folder.write('tasks/click-trap/persona.md', '\uFEFF \r\n\t\n');
    await folder.write('tasks/click-trap/openai.md', '');
    await using prompts = await open(folder.path);
    expect(prompts.resolve('click-trap', 'persona')?.source).toBe('prompts/default/persona.md');
    expect(prompts.resolve('click-trap', 'openai')).toBeNull();
  });

  it('is the same text with the same hash however its file was saved', async () => {
    await using folder = await temporaryFolder();
    const text = 'Kalbėk lietuviškai.\n\nBūk mandagus.\n';
    await folder.write('tasks/one/persona.md', text);
    await folder.write('tasks/two/persona.md', `\uFEFF${text.replaceAll('\n', '\r\n').normalize('NFD')}`);
    await using prompts = await open(folder.path);
    const [one, two] = ['one', 'two'].map((name) => prompts.resolve(name, 'persona'));
    expect(one?.text).toBe(text);
    expect(two?.text).toBe(text);
    expect(two?.hash).toBe(one?.hash);
  });

  it('is never one from outside the folder', async () => {
    await using folder = await temporaryFolder();
    await folder.write('secret.md', 'secret');
    await folder.write('prompts/secret.md', 'secret');
    await folder.write('prompts/tasks/one/persona.md', 'You are one.');
    await folder.write('prompts/tasks/.hidden/persona.md', 'secret');
    await symlink(folder.at('secret.md'), folder.at('prompts', 'tasks', 'one', 'linked.md'));
    await symlink(folder.path, folder.at('prompts', 'tasks', 'two'));
    const logged: LogFields[] = [];
    const note = (_event: string, fields?: LogFields) => void logged.push(fields ?? {});
    await using prompts = await open(folder.at('prompts'), { info: () => {}, warn: note, error: note });
    const asked = [
      ['..', 'secret'],
      ['../..', 'secret'],
      ['one/../..', 'secret'],
      ['one', '../../secret'],
      ['one', 'linked'],
      ['two', 'secret'],
      ['.hidden', 'persona'],
      ['/', 'secret'],
      ['', '../secret'],
    ] as const;
    for (const [directory, file] of asked) {
      expect([directory, file, prompts.resolve(directory, file)]).toEqual([directory, file, null]);
    }
    expect(logged).toMatchObject([{ source: 'prompts/tasks/one/linked.md', message: expect.stringContaining('link') }]);
  });

  it('too large, or no text, is told of and counts as absent', async () => {
    await using folder = await temporaryFolder();
    await folder.write('default/persona.md', 'a'.repeat(256 * 1024 + 1));
    await folder.write('default/safety.md', Buffer.from([0xff, 0xfe, 0x41, 0x00]));
    const logged: LogFields[] = [];
    const note = (_event: string, fields?: LogFields) => void logged.push(fields ?? {});
    await using prompts = await open(folder.path, { ...silentLogger, error: note });
    expect(prompts.resolve('one', 'persona')).toBeNull();
    expect(prompts.resolve('one', 'safety')).toBeNull();
    expect(logged.map(({ source, message }) => `${String(source)}: ${String(message)}`)).toEqual([
      'prompts/default/persona.md: The file is larger than 256 KiB.',
      'prompts/default/safety.md: The file is not UTF-8 text.',
    ]);
  });

  it('is none where there is no folder', async () => {
    await using prompts = await open('/nowhere/at/all');
    expect(prompts.resolve('one', 'persona')).toBeNull();
  });
});

describe('while they are watched', () => {
  /** A logger that tells each time the prompts were read anew. */
  function listener() {
    let tell = () => {};
    const next = () => new Promise<void>((resolve) => void (tell = resolve));
    return { next, logger: { ...silentLogger, info: () => tell(), warn: () => tell() } };
  }

  async function until(isSo: () => boolean, next: () => Promise<void>): Promise<void> {
    for (;;) {
      const changed = next();
      if (isSo()) return;
      await changed;
    }
  }

  it('prompts are refreshed when they are written, saved by renaming, and removed', async () => {
    await using folder = await temporaryFolder();
    await folder.write('default/persona.md', 'Before');
    const { next, logger } = listener();
    await using prompts = await openPromptLibrary({ folder: folder.path, logger, watch: true, clock: systemClock });
    const text = () => prompts.resolve('one', 'persona')?.text ?? null;
    expect(text()).toBe('Before');
    await folder.write('default/persona.md', 'After');
    await until(() => text() === 'After', next);
    await folder.write('tasks/one/persona.md', 'Its own');
    await until(() => text() === 'Its own', next);
    await folder.write('tasks/one/persona.md.tmp', 'Its own, again');
    await rename(folder.at('tasks', 'one', 'persona.md.tmp'), folder.at('tasks', 'one', 'persona.md'));
    await until(() => text() === 'Its own, again', next);
    await rm(folder.at('tasks'), { recursive: true });
    await until(() => text() === 'After', next);
  });

  it('they stay as they were while the folder is away', async () => {
    await using folder = await temporaryFolder();
    await folder.write('prompts/default/persona.md', 'Before');
    const { next, logger } = listener();
    await using prompts = await openPromptLibrary({ folder: folder.at('prompts'), logger, watch: true });
    const text = () => prompts.resolve('one', 'persona')?.text;
    const told = next();
    await rename(folder.at('prompts'), folder.at('away'));
    await told;
    expect(text()).toBe('Before');
    await mkdir(folder.at('next', 'default'), { recursive: true });
    await folder.write('next/default/persona.md', 'After');
    await rename(folder.at('next'), folder.at('prompts'));
    await until(() => text() === 'After', next);
  });
});
