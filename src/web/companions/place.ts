/** What a companion's page shows: a conversation, or the one that is going on (or would begin) about somebody. */
export type Place = { kind: 'conversation'; id: string } | { kind: 'about'; learnerId: string | null };

/** The place a location's hash names; what it does not know is the talk about nobody in particular. */
export function readPlace(hash: string): Place {
  const [, first, second] = hash.split('/');
  const id = second ? decode(second) : null;
  if (first === 'conversation' && id) return { kind: 'conversation', id };
  return { kind: 'about', learnerId: first === 'learner' ? id : null };
}

/** The hash that `readPlace` reads back. */
export function writePlace(place: Place): string {
  if (place.kind === 'conversation') return `#/conversation/${encodeURIComponent(place.id)}`;
  return place.learnerId === null ? '#/' : `#/learner/${encodeURIComponent(place.learnerId)}`;
}

/** The companion that a page's path names; null for the list of all. */
export function companionOf(path: string): string | null {
  const [, named] = /^\/companions\/([^/]+)\/?$/u.exec(path) ?? [];
  return named === undefined ? null : decode(named);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
