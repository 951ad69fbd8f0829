import { readFileSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';
import { pause } from '../core/pause.ts';
import { ModelError, type ModelProvider } from '../engine/ports/model.ts';
import { readJson } from './read-json.ts';
import { describeCall, type RecordedLine, recordedLine, recordingKey } from './recording.ts';

const name = 'recorded';

export type RecordedOptions = {
  /** What the environment calls it: the file's name without `.jsonl`. */
  model: string;
  file: string;
  clock: Clock;
  /** `recorded` waits between events as the model did; `at_once` does not wait. */
  pace: 'recorded' | 'at_once';
};

/**
 * Replays a recording: the call that was asked then gets the answer it got then, the last one where it was recorded
 * more than once. Any other call fails with a `ModelError` that names its key.
 *
 * Throws an Error with one sentence where the file cannot be read or a line of it is wrong.
 */
export function createRecordedProvider({ model, file, clock, pace }: RecordedOptions): ModelProvider {
  const recording = readRecording(file);
  const recorded = [...recording.values()].at(-1)?.provider;
  return {
    name,
    model,
    ...(recorded === undefined ? {} : { promptsOf: recorded }),
    async *stream(call, signal) {
      signal.throwIfAborted();
      const key = recordingKey(call);
      const line = recording.get(key);
      if (!line) {
        const message = `${file} has no reply to this call: ${describeCall(call)}; key ${key}`;
        throw new ModelError('MODEL_UNAVAILABLE', message, { retryable: false });
      }
      const start = clock.now();
      for (const [offset, event] of line.events) {
        await pause(pace === 'recorded' ? start + offset - clock.now() : 0, clock, signal);
        yield event;
      }
    },
  };
}

function readRecording(file: string): ReadonlyMap<string, RecordedLine> {
  const lines = new Map<string, RecordedLine>();
  for (const [index, text] of readText(file).split('\n').entries()) {
    if (text.trim() === '') continue;
    const line = recordedLine.safeParse(readJson(text));
    if (!line.success) throw new Error(`${file}:${index + 1} is not a recorded call.`);
    lines.set(line.data.key, line.data);
  }
  return lines;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`The recording ${file} cannot be read.`, { cause });
  }
}
