export type Route = { kind: 'lessons' } | { kind: 'join' } | { kind: 'lesson'; sessionId: string };

/** The route a location's hash names; what it does not know is the list of lessons. */
export function readRoute(hash: string): Route {
  const [, first, second] = hash.split('/');
  if (first === 'join') return { kind: 'join' };
  const sessionId = first === 'lesson' && second ? decode(second) : null;
  if (sessionId) return { kind: 'lesson', sessionId };
  return { kind: 'lessons' };
}

/** The hash that `readRoute` reads back. */
export function writeRoute(route: Route): string {
  switch (route.kind) {
    case 'lessons':
      return '#/';
    case 'join':
      return '#/join';
    case 'lesson':
      return `#/lesson/${encodeURIComponent(route.sessionId)}`;
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
