import { createServer } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/core/logger.ts';
import { readEnvironment } from '../../src/environment.ts';
import { startServer } from '../../src/server.ts';
import { lessonData } from '../fixtures/lesson.ts';
import { answerControl } from './control.ts';

/**
 * The real server as a program to be measured: the OpenAI provider against the upstream of the first argument, filter,
 * log and store on. Prints its address and join code; a second port answers `/cpu` and `/memory` as `control.ts` says.
 */
const folder = await mkdtemp(join(tmpdir(), 'trickster-bench-'));
const phases = lessonData.phases.map((phase) =>
  phase.id === 'talk'
    ? { ...phase, interaction: { ...phase.interaction, min_exchanges: 1, max_exchanges: 1_000 } }
    : phase,
);
await mkdir(join(folder, 'cartridges/test-lesson'), { recursive: true });
await writeFile(join(folder, 'cartridges/test-lesson/cartridge.json'), JSON.stringify({ ...lessonData, phases }));
const variables = {
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  CARTRIDGES_DIR: join(folder, 'cartridges'),
  RATE_LIMIT_TURNS_PER_MINUTE: '0',
  RATE_LIMIT_JOINS_PER_MINUTE: '0',
  OPENAI_API_KEY: 'sk-bench',
  OPENAI_BASE_URL: process.argv[2] ?? '',
  MODEL_STANDARD: 'openai:bench',
};
const server = await startServer({
  environment: readEnvironment(variables, join(import.meta.dirname, '../..')),
  logger: silentLogger,
});
const control = createServer((request, response) => {
  if (!answerControl(request.url, response)) response.writeHead(404).end();
});
control.listen(0, '127.0.0.1', () => {
  const { port } = control.address() as AddressInfo;
  process.stdout.write(
    `${JSON.stringify({ url: server.url, joinCode: server.joinCode, cpu: `http://127.0.0.1:${port}/cpu` })}\n`,
  );
});
process.once('SIGTERM', () => {
  void server
    .close()
    .then(() => rm(folder, { recursive: true, force: true }))
    .finally(() => process.exit(0));
});
