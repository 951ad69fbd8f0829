import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export type ServerProcess = AsyncDisposable & {
  url: string;
  joinCode: string;
  teacherLink: string;
  /** The folder that holds `cartridges/`, `prompts/` and `data/`. */
  folder: string;
};

export type ServerProcessOptions = {
  /** Files to lay out first, by path. */
  files: Readonly<Record<string, string | Uint8Array>>;
  env?: Readonly<Record<string, string>>;
};

const root = join(import.meta.dirname, '..', '..');

/** The product as a school starts it: its own process, on a free port, with a folder of its own. */
export async function startServerProcess({ files, env }: ServerProcessOptions): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'trickster-browser-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      CARTRIDGES_DIR: join(folder, 'cartridges'),
      PROMPTS_DIR: join(folder, 'prompts'),
      RATE_LIMIT_TURNS_PER_MINUTE: '0',
      RATE_LIMIT_JOINS_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const gone = once(child, 'exit');
  let closing = false;
  // A server that dies in the middle of a test says why.
  void gone.then(([code]) => {
    if (!closing) process.stderr.write(`The server ended by itself (${code}):\n${complaints.join('')}`);
  });
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, what, value] = /^(Trickster is running at|Teacher's link:|Join code:) (\S+)$/u.exec(line) ?? [];
    if (what && value) said.set(what, value);
    if (said.size === 3) break;
  }
  if (said.size < 3) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`The server did not start:\n${complaints.join('')}`);
  }
  return {
    url: said.get('Trickster is running at') ?? '',
    joinCode: said.get('Join code:') ?? '',
    teacherLink: said.get("Teacher's link:") ?? '',
    folder,
    async [Symbol.asyncDispose]() {
      closing = true;
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
