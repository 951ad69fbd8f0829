import type { Clock } from './clock.ts';

/** What a log line may carry: ids, counts, codes. Never what a learner wrote. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One JSON object a line: `time`, `level`, `event` (`noun_verb`) and the fields. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A logger that hands each finished line, newline included, to `write`. */
export function jsonLogger(clock: Clock, write: (line: string) => void): Logger {
  const at = (level: string) => (event: string, fields?: LogFields) =>
    write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, event, ...fields })}\n`);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** For tests and tools that have nothing to say. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
