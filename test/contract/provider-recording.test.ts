import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createProvider } from '../../src/provider/create-provider.ts';
import { collect, texts } from '../fixtures/model-events.ts';
import { sampleCalls } from '../fixtures/sample-recording.ts';

test('the recording that ships answers its calls, in a session with another mark too', async () => {
  const provider = createProvider('recorded:sample', {
    clock: systemClock,
    openai: {},
    gemini: {},
    recordings: 'data/recordings',
    recordedPace: 'at_once',
  });
  for (const { call, text } of sampleCalls) {
    const marked = { ...call, system: call.system.replaceAll('k-5eed0001', 'k-0badcafe') };
    const events = await collect(provider.stream(marked, new AbortController().signal));
    expect(texts(events).join('')).toBe(text);
    expect(events.at(-1)?.type).toBe('end');
  }
});
