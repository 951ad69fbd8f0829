import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

/** Work whose runs end when they are told to. */
function runs() {
  const open: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const run = Promise.withResolvers<void>();
    open.push(run);
    return run.promise;
  };
  return { open, call: coalesce(work) };
}

const settled = (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => void setImmediate(() => resolve(false)))]);

it('runs once for those who call together, and once more for all who call meanwhile', async () => {
  const { open, call } = runs();
  const first = [call(), call()];
  await Promise.resolve().then(() => {});
  await expect.poll(() => open.length).toBe(1);
  const later = [call(), call(), call()];
  open[0]?.resolve();
  await Promise.all(first);
  await expect.poll(() => open.length).toBe(2);
  expect(await settled(Promise.race(later))).toBe(false);
  open[1]?.resolve();
  await Promise.all(later);
  expect(open).toHaveLength(2);
});

it('tells of a failure those whose run it was, and runs again for the next', async () => {
  const { open, call } = runs();
  const failing = call();
  await expect.poll(() => open.length).toBe(1);
  const next = call();
  open[0]?.reject(new Error('disk full'));
  await expect(failing).rejects.toThrow('disk full');
  await expect.poll(() => open.length).toBe(2);
  open[1]?.resolve();
  await next;
});
