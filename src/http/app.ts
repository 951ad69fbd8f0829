import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { type AppEnv, authenticate } from './authentication.ts';
import { type ClassRouteParts, classRoutes, joinRoute } from './class-routes.ts';
import { allowOrigins } from './cross-origin.ts';
import { conversationRoutes, type ConversationRouteParts } from './conversation-routes.ts';
import { type ClassStreamParts, classStreamRoute } from './class-stream.ts';
import { docsRoutes } from './docs.ts';
import { healthRoutes, type HealthParts } from './health-routes.ts';
import { lessonRoutes, type LessonRouteParts } from './lesson-routes.ts';
import { liveRoute, type LiveRouteParts, ticketRoute, type TicketRouteParts } from './live-routes.ts';
import { guardianRoutes, type GuardianRouteParts } from './guardian-routes.ts';
import { meRoutes, type MeRouteParts } from './me-routes.ts';
import { memoryRoutes, type MemoryRouteParts } from './memory-routes.ts';
import { preparedRoutes, type PreparedRouteParts } from './prepared-routes.ts';
import { HttpProblem, problemResponse } from './problem.ts';

export type AppParts = LessonRouteParts &
  ClassRouteParts &
  ClassStreamParts &
  LiveRouteParts &
  ConversationRouteParts &
  MemoryRouteParts &
  PreparedRouteParts &
  TicketRouteParts &
  MeRouteParts &
  GuardianRouteParts &
  HealthParts & {
    logger: Logger;
    allowedOrigins: ReadonlySet<string>;
    /** The pages and their assets; mounted after the protocol's routes. */
    pages: Hono<AppEnv>;
  };

/** The whole HTTP surface as one Hono app; `c.env` are Node's request and response. */
export function createApp(parts: AppParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.route('/api', liveRoute({ ...parts, turns: anyTurns(parts) }));
  app.use('/api/*', allowOrigins(parts.allowedOrigins));
  app.route('/', healthRoutes(parts));
  app.route('/', docsRoutes());
  app.use('/api/*', keptNowhere);
  app.route('/api', joinRoute(parts));
  app.use('/api/*', authenticate(parts.tokens, parts.allowedOrigins));
  app.route('/api', ticketRoute(parts));
  app.route('/api', classRoutes(parts));
  app.route('/api', classStreamRoute(parts));
  app.route('/api', lessonRoutes(parts));
  app.route('/api', conversationRoutes(parts));
  app.route('/api', memoryRoutes(parts));
  app.route('/api', preparedRoutes(parts));
  app.route('/api', meRoutes(parts));
  app.route('/api', guardianRoutes(parts));
  app.route('/', parts.pages);
  app.notFound((c) => problemResponse(c, 'NOT_FOUND'));
  app.onError((error, c) => {
    const { outgoing } = c.env as Partial<HttpBindings>;
    if (error instanceof HttpProblem) return problemResponse(c, error.code, error.more);
    // The request went away while its body was being read, or a stream was begun: nobody is there to be told.
    if (outgoing?.headersSent) outgoing.destroy();
    if (error instanceof HTTPException && error.status < 500)
      return problemResponse(c, 'INVALID_REQUEST', { status: error.status });
    const code = error instanceof AppError ? error.code : 'INTERNAL';
    parts.logger.error('request_failed', { method: c.req.method, route: c.req.routePath, code, error: error.name });
    return problemResponse(c, code);
  });
  return app;
}

/** What is told here is somebody's own, and belongs in no cache: not a proxy's, not a shared computer's. */
const keptNowhere: MiddlewareHandler<AppEnv> = (c, next) => {
  c.header('Cache-Control', 'no-store');
  return next();
};

/** Turns of lessons and of conversations alike, for clients that hold both on one socket. */
function anyTurns({ turns, conversationTurns }: AppParts): LiveRouteParts['turns'] {
  return {
    async respond(owner, sessionId, request) {
      const asked = await turns.respond(owner, sessionId, request);
      const isElsewhere = asked.kind === 'refused' && asked.code === 'NOT_FOUND';
      return isElsewhere ? conversationTurns.respond(owner, sessionId, request) : asked;
    },
    // A turn is found and stopped by its session and id, whatever it is a turn of.
    turn: (owner, sessionId, turnId) => turns.turn(owner, sessionId, turnId),
    stop: (owner, sessionId, turnId) => turns.stop(owner, sessionId, turnId),
  };
}
