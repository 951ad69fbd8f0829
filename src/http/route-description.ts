import type { z } from 'zod';

/** One route as `/openapi.json` and `/docs` tell of it. */
export type RouteDescription = {
  method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for parameters. */
  path: string;
  summary: string;
  tag: 'Signing in' | 'Classes' | 'Lessons' | 'Turns' | 'Conversations' | 'Memory' | 'Profiles' | 'Projects' | 'Health';
  body?: z.ZodType;
  /** By status; a string is a media type other than JSON. */
  responses: Readonly<Record<number, { description: string; schema?: z.ZodType; media?: string }>>;
  isOpen?: true;
  query?: Readonly<Record<string, string>>;
};

/** What every route that streams a turn answers with. */
export const eventStream = {
  description:
    'The turn as server-sent events `token`, `redact`, `done`, `error`; the header `X-Turn-Id` names the turn',
  media: 'text/event-stream',
};
