import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SimulatedClock } from '../../src/core/clock.ts';
import { createInProcessTurnLog } from '../../src/live/in-process-turn-log.ts';
import { describeTurnLog } from './turn-log-contract.ts';

const keepMs = 1_000;
const open = (clock = new SimulatedClock()) => createInProcessTurnLog({ clock, keepMs });

describeTurnLog('in process', open);

it('a burst within one tick is one delivery', async () => {
  const log = open();
  const writer = log.open('t1');
  const sizes: number[] = [];
  await log.follow('t1', 0, { deliver: (texts, from) => void sizes.push(texts.length - from), close() {} });
  for (let index = 0; index < 200; index += 1) writer.token('x');
  await nextTick();
  expect(sizes).toEqual([200]);
});

it('forgets a turn some time after its end, and not before', async () => {
  const clock = new SimulatedClock();
  const log = open(clock);
  log.open('live').token('a');
  log.open('over').end('done', '{}');
  clock.advance(keepMs - 1);
  expect(await log.endedAt('over')).toBe(1);
  clock.advance(1);
  expect(await log.endedAt('over')).toBeNull();
  expect(log.size).toBe(1);
});
