import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from './core/clock.ts';
import { jsonLogger } from './core/logger.ts';
import { readEnvironment } from './environment.ts';
import { describeFindings } from './cartridge/finding.ts';
import { checkCartridges } from './library/check.ts';
import { recordProvider } from './provider/recorder.ts';
import { projectRoot } from './compose-models.ts';
import { startServer } from './server.ts';
import { startWork } from './work.ts';

const usage = `npm run trickster -- <command>

  check [folder]    reads the cartridges in the folder (or one cartridge) and says what is wrong with them
  work              does the work behind companions' memory without serving anyone, until it is interrupted
  record <name>     starts the server and writes what the model says to data/recordings/<name>.jsonl;
                    MODEL_STANDARD=recorded:<name> plays it back
`;

process.exitCode = await run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({ args: [...argv], allowPositionals: true, strict: false });
  const [command, argument] = positionals;
  if (command === 'check') return check(argument);
  if (command === 'work') return work();
  if (command === 'record' && argument !== undefined) return record(argument);
  process.stderr.write(usage);
  return command === undefined || command === 'help' ? 0 : 2;
}

/** Prints every finding; 1 where one of them is an error. */
async function check(folder: string | undefined): Promise<number> {
  const path = folder === undefined ? readEnvironment(process.env, projectRoot).cartridgesDir : folder;
  const { findings, cartridges } = await checkCartridges(path);
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  if (findings.length > 0) process.stdout.write(`${describeFindings(findings)}\n\n`);
  process.stdout.write(`${cartridges} cartridges, ${errors} errors, ${findings.length - errors} warnings\n`);
  return errors > 0 ? 1 : 0;
}

/** Works on the queue until it is interrupted. */
async function work(): Promise<number> {
  const logger = jsonLogger(systemClock, (line) => process.stderr.write(line));
  const working = await startWork({ environment: readEnvironment(process.env, projectRoot), logger });
  process.stdout.write('Working on what waits to be remembered. Ctrl-C ends it.\n');
  await new Promise<void>((stopped) => void process.once('SIGINT', stopped).once('SIGTERM', stopped));
  await working[Symbol.asyncDispose]();
  return 0;
}

/** Serves with every model wrapped in a recorder, until it is interrupted. */
async function record(name: string): Promise<number> {
  if (!/^[\w-][\w.-]*$/u.test(name)) {
    process.stderr.write('A recording is named with letters, digits, dots, hyphens and underscores.\n');
    return 2;
  }
  const file = join(projectRoot, 'data', 'recordings', `${name}.jsonl`);
  const server = await startServer({
    environment: readEnvironment(process.env, projectRoot),
    logger: jsonLogger(systemClock, (line) => process.stderr.write(line)),
    wrapModel: (provider) => recordProvider(provider, { file, clock: systemClock }),
  });
  process.stdout.write(
    `Recording to ${file}\nPlay a lesson at ${server.url}\nJoin code: ${server.joinCode}\nCtrl-C ends it.\n`,
  );
  await new Promise<void>((stopped) => void process.once('SIGINT', stopped).once('SIGTERM', stopped));
  await server.close();
  return 0;
}
