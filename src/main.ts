import { systemClock } from './core/clock.ts';
import { AppError } from './core/errors.ts';
import { jsonLogger } from './core/logger.ts';
import { EnvironmentError, readEnvironment } from './environment.ts';
import { projectRoot } from './compose-models.ts';
import { startServer } from './server.ts';

const logger = jsonLogger(systemClock, (line) => process.stderr.write(line));

try {
  const environment = readEnvironment(process.env, projectRoot);
  const server = await startServer({ environment, logger });
  process.stdout.write(
    [
      '',
      `Trickster is running at ${server.url}`,
      `Teacher's link: ${server.teacherLink}`,
      `Join code: ${server.joinCode}`,
      environment.models.standard === 'offline'
        ? 'No model is plugged in: lessons speak from their cartridges alone (see README).'
        : `Model: ${environment.models.standard}`,
      '',
      '',
    ].join('\n'),
  );
  const stop = (signal: NodeJS.Signals) => {
    logger.info('server_stopping', { signal });
    // Whatever hangs, the process is gone within ten seconds.
    setTimeout(() => process.exit(1), 9_500).unref();
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  process.stderr.write(`Trickster cannot start. ${whatIsWrong(error)}\n`);
  process.exitCode = 1;
}

/** One line for whoever starts the server. */
function whatIsWrong(error: unknown): string {
  if (error instanceof EnvironmentError || error instanceof AppError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE')
    return 'PORT: another program listens there already; choose another, like PORT=3001.';
  if ('code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))
    return `${error.message}: check who may read and write there.`;
  return error.message;
}
