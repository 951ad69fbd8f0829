import type { ClassEvent, ClassFeed, ClassFollower } from '../engine/ports/class-feed.ts';

/** The last events of one class, and who watches. */
type Feed = { events: ClassEvent[]; published: number; followers: Set<ClassFollower> };

export type ClassFeedOptions = {
  /** Names this process's feeds: ids from before a restart are not mistaken for its own. */
  epoch: string;
  /** How many events of a class are kept for those who come back. */
  keep?: number;
};

/** The class feeds of a single process, in memory. */
export function createInProcessClassFeed({ epoch, keep = 500 }: ClassFeedOptions): ClassFeed {
  const feeds = new Map<string, Feed>();
  const feedOf = (classId: string): Feed => {
    const known = feeds.get(classId);
    if (known) return known;
    const made: Feed = { events: [], published: 0, followers: new Set() };
    feeds.set(classId, made);
    return made;
  };

  return {
    publish(classId, name, data) {
      const feed = feedOf(classId);
      feed.published += 1;
      const event: ClassEvent = { id: `${epoch}:${feed.published}`, name, data: JSON.stringify(data) };
      feed.events.push(event);
      if (feed.events.length > keep) feed.events.shift();
      for (const follower of feed.followers) follower([event]);
    },
    forget(classId) {
      const feed = feeds.get(classId);
      if (!feed) return;
      feed.events = [];
      // One more was published than anyone has seen, so that nobody's place is the present one.
      feed.published += 1;
    },
    follow(classId, after, follower) {
      const feed = feedOf(classId);
      const seen = seenOf(after, epoch);
      const oldest = feed.published - feed.events.length;
      const isWhole = seen !== null && seen >= oldest && seen <= feed.published;
      if (isWhole && seen < feed.published) follower(feed.events.slice(seen - oldest));
      feed.followers.add(follower);
      return { isWhole, subscription: { [Symbol.dispose]: () => void feed.followers.delete(follower) } };
    },
  };
}

function seenOf(after: string | null, epoch: string): number | null {
  const [, of, count] = /^(.+):(\d{1,15})$/u.exec(after ?? '') ?? [];
  return of === epoch ? Number(count) : null;
}
