import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Program = AsyncDisposable & {
  url: string;
  pid: number /** The whole first line. */;
  told: Readonly<Record<string, string>>;
};

export type ProgramOptions = {
  args?: readonly string[];
  /** Flags for Node itself. */
  flags?: readonly string[];
  env?: Readonly<Record<string, string>> /** A core to stay on, where the machine can do that. */;
  core?: number;
};

/** Keeps this process, all its threads, on one core, where the machine can do that. */
export function stayOnCore(core: number): void {
  if (process.platform === 'linux') spawnSync('taskset', ['-a', '-p', '-c', String(core), String(process.pid)]);
}

/** Starts a program that prints `{"url": …}` as its first line, and waits for it. */
export async function startProgram(
  file: string,
  { args = [], env = {}, flags = [], core }: ProgramOptions = {},
): Promise<Program> {
  const command = [process.execPath, ...flags, file, ...args];
  const pinned =
    core === undefined || process.platform !== 'linux' ? command : ['taskset', '-c', String(core), ...command];
  const [program = '', ...rest] = pinned;
  const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  // A benchmark that fails leaves nothing running behind it.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const told = JSON.parse(await firstLine(child)) as Readonly<Record<string, string>>;
  return {
    told,
    url: told['url'] ?? '',
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the program has no output');
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the program ended with ${code}`)));
  const [line] = await Promise.race([once(lines, 'line'), gone]);
  gone.catch(() => {});
  return String(line);
}
