import { describe, expect, it } from 'vitest';
import type { ClassEvent } from '../../src/engine/ports/class-feed.ts';
import { createInProcessClassFeed } from '../../src/live/in-process-class-feed.ts';

const open = (epoch = 'e1') => createInProcessClassFeed({ epoch, keep: 3 });

function watch(feed: ReturnType<typeof open>, after: string | null) {
  const seen: ClassEvent[] = [];
  const { isWhole, subscription } = feed.follow('c', after, (events) => void seen.push(...events));
  return { isWhole, subscription, data: () => seen.map((event) => JSON.parse(event.data) as unknown), seen };
}

describe('a class feed', () => {
  it('gives a watcher what comes, in order, and nothing of another class', () => {
    const feed = open();
    const watcher = watch(feed, null);
    feed.publish('c', 'session', { n: 1 });
    feed.publish('other', 'session', { n: 2 });
    feed.publish('c', 'alert', { n: 3 });
    expect(watcher.data()).toEqual([{ n: 1 }, { n: 3 }]);
    expect(watcher.isWhole).toBe(false);
  });

  it('goes on from the id that was seen last, with nothing missing and nothing twice', () => {
    const feed = open();
    const first = watch(feed, null);
    feed.publish('c', 'session', { n: 1 });
    first.subscription[Symbol.dispose]();
    feed.publish('c', 'session', { n: 2 });
    const again = watch(feed, first.seen.at(-1)?.id ?? null);
    feed.publish('c', 'session', { n: 3 });
    expect(again.isWhole).toBe(true);
    expect(again.data()).toEqual([{ n: 2 }, { n: 3 }]);
    expect(first.data()).toEqual([{ n: 1 }]);
  });

  it.each([
    ['reaches back too far', 'e1:0'],
    ['is from before a restart', 'e0:4'],
    ['is from the future', 'e1:99'],
    ['is none', 'rubbish'],
  ])('says that an id that %s is not whole', (_, after) => {
    const feed = open();
    for (let n = 1; n <= 5; n += 1) feed.publish('c', 'session', { n });
    const watcher = watch(feed, after);
    expect(watcher.isWhole).toBe(false);
    expect(watcher.data()).toEqual([]);
  });

  it('forgets what happened in a class: whoever comes back needs the state, and what comes next is delivered', () => {
    const feed = open();
    const watcher = watch(feed, null);
    feed.publish('c', 'session', { n: 1 });
    feed.publish('other', 'session', { n: 9 });
    feed.forget('c');
    feed.forget('never');
    const last = watcher.seen.at(-1)?.id ?? null;
    const back = watch(feed, last);
    expect([back.isWhole, back.data()]).toEqual([false, []]);
    feed.publish('c', 'session', { n: 2 });
    expect(watcher.data()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(watch(feed, watcher.seen.at(-1)?.id ?? null).isWhole).toBe(true);
  });
});
