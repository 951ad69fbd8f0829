/** What a conversation is about: a learner, a project, or (both null) nothing in particular. */
export type About = { learnerId: string | null; projectId: string | null };

/** What a companion's page shows: a conversation, or the one that is going on (or would begin) about something. */
export type Place = { kind: 'conversation'; id: string } | ({ kind: 'about' } & About);

export const aboutNothing: About = { learnerId: null, projectId: null };

/** What the server calls the project of conversations that name none. */
const namelessProject = 'default';

/** What a conversation of the server's is about. */
export function aboutOf(conversation: { learner_id: string | null; project_id: string | null }): About {
  const { learner_id: learnerId, project_id: project } = conversation;
  return { learnerId, projectId: project === namelessProject ? null : project };
}

/** The place a location's hash names; what it does not know is the talk about nobody in particular. */
export function readPlace(hash: string): Place {
  const [, first, second] = hash.split('/');
  const id = second ? decode(second) : null;
  if (first === 'conversation' && id) return { kind: 'conversation', id };
  return { kind: 'about', learnerId: first === 'learner' ? id : null, projectId: first === 'project' ? id : null };
}

/** The hash that `readPlace` reads back. */
export function writePlace(place: Place): string {
  if (place.kind === 'conversation') return `#/conversation/${encodeURIComponent(place.id)}`;
  if (place.learnerId !== null) return `#/learner/${encodeURIComponent(place.learnerId)}`;
  return place.projectId === null ? '#/' : `#/project/${encodeURIComponent(place.projectId)}`;
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
