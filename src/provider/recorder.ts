import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { ModelError, type ModelProvider } from '../engine/ports/model.ts';
import { describeCall, type RecordedLine, recordingKey } from './recording.ts';

/**
 * The same provider, whose complete replies are appended to `file` as they end (`recording.ts` has the form). What
 * fails or is left early is not recorded. Throws a `ModelError` `INTERNAL` where the file cannot be written.
 */
export function recordProvider(inner: ModelProvider, { file, clock }: { file: string; clock: Clock }): ModelProvider {
  const { name, model } = inner;
  return {
    name,
    model,
    async *stream(call, signal) {
      const start = clock.now();
      const events: RecordedLine['events'] = [];
      for await (const event of inner.stream(call, signal)) {
        events.push([clock.now() - start, event]);
        if (event.type === 'end') {
          await append(file, {
            ...(call.person === undefined ? {} : { person: call.person }),
            key: recordingKey(call),
            provider: name,
            model,
            call: describeCall(call),
            events,
          });
        }
        yield event;
      }
    },
  };
}

async function append(file: string, line: RecordedLine): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${JSON.stringify(line)}\n`);
  } catch (cause) {
    throw new ModelError('INTERNAL', `The recording ${file} could not be written`, { retryable: false, cause });
  }
}
