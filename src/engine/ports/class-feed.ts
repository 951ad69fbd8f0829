/** Something that happened in a class, for its teacher: never what was said. */
export type ClassEventName = 'session' | 'redaction' | 'alert';

/** `id` is a place in the feed, opaque to clients; `data` is the JSON that goes out, as text. */
export type ClassEvent = { readonly id: string; readonly name: ClassEventName; readonly data: string };

/** Who reads a feed. Called on the event loop; must not throw or wait. */
export type ClassFollower = (events: readonly ClassEvent[]) => void;

/** What happens in classes, turn by turn, to whoever watches a class. */
export interface ClassFeed {
  publish(classId: string, name: ClassEventName, data: object): void;
  /** Forgets what has happened in a class: whoever comes back to it gets the state as it stands instead. */
  forget(classId: string): void;
  /**
   * Delivers what comes after the event with the id `after`, then what comes. `isWhole` is false where the feed no
   * longer reaches back that far (or `after` is null): the follower then needs the state as it stands first.
   */
  follow(
    classId: string,
    after: string | null,
    follower: ClassFollower,
  ): { isWhole: boolean; subscription: Disposable };
}
