import { z } from 'zod';
import { clientMessage, serverMessage, ticketResponse } from './live-messages.ts';
import { conversationDescriptions } from './conversation-openapi.ts';
import { meDescriptions } from './me-openapi.ts';
import { preparedDescriptions } from './prepared-openapi.ts';
import * as protocol from './protocol.ts';
import { eventStream, type RouteDescription } from './route-description.ts';
import * as student from './student-protocol.ts';

const items = (item: z.ZodType) => z.object({ items: z.array(item) });

export const routeDescriptions: readonly RouteDescription[] = [
  {
    method: 'post',
    path: '/api/join',
    summary: 'Join a class by its code, without an account',
    tag: 'Signing in',
    body: protocol.joinRequest,
    responses: { 200: { description: 'A student token', schema: protocol.joinResponse } },
    isOpen: true,
  },
  {
    method: 'get',
    path: '/api/me',
    summary: 'Who the token is for',
    tag: 'Signing in',
    responses: { 200: { description: 'The caller', schema: protocol.me } },
  },
  {
    method: 'post',
    path: '/api/classes',
    summary: 'Make a class (teachers)',
    tag: 'Classes',
    body: protocol.classRequest,
    responses: { 201: { description: 'The class with its join code', schema: protocol.classView } },
  },
  {
    method: 'get',
    path: '/api/classes',
    summary: "The teacher's classes, newest first",
    tag: 'Classes',
    responses: { 200: { description: 'Classes', schema: items(protocol.classView) } },
  },
  {
    method: 'get',
    path: '/api/classes/{id}',
    summary: 'One class',
    tag: 'Classes',
    responses: { 200: { description: 'The class', schema: protocol.classView } },
  },
  {
    method: 'get',
    path: '/api/classes/{id}/students',
    summary: 'The students of a class, who joined last first (its teacher)',
    tag: 'Classes',
    query: { page: 'From 1', limit: '1 to 100; 20 where absent' },
    responses: { 200: { description: 'Students', schema: student.classStudentList } },
  },
  {
    method: 'get',
    path: '/api/students/{id}',
    summary: 'One student, for staff: their name, their classes, and who prepares for them',
    tag: 'Classes',
    responses: { 200: { description: 'The student', schema: student.studentView } },
  },
  {
    method: 'get',
    path: '/api/classes/{id}/events',
    summary:
      'The class as it works: a `snapshot`, then `session`, `redaction` and `alert`, never a word of what is said',
    tag: 'Classes',
    responses: { 200: { description: 'Server-sent events; resume with `Last-Event-ID`', media: 'text/event-stream' } },
  },
  {
    method: 'post',
    path: '/api/classes/{id}/control',
    summary: 'Steer the room: pause, go on, move to a phase, end conversations',
    tag: 'Classes',
    body: protocol.controlRequest,
    responses: { 200: { description: 'The sessions that changed', schema: protocol.controlResponse } },
  },
  {
    method: 'get',
    path: '/api/cartridges',
    summary: 'The lessons the caller may begin',
    tag: 'Lessons',
    responses: { 200: { description: 'Lessons', schema: items(protocol.cartridgeListItem) } },
  },
  {
    method: 'post',
    path: '/api/sessions',
    summary: 'Begin a lesson',
    tag: 'Lessons',
    body: protocol.sessionRequest,
    responses: { 201: { description: 'The session', schema: protocol.sessionView } },
  },
  {
    method: 'get',
    path: '/api/sessions/{id}',
    summary: 'A session as it stands',
    tag: 'Lessons',
    responses: { 200: { description: 'The session', schema: protocol.sessionView } },
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/choice',
    summary: "Take one of the phase's choices",
    tag: 'Lessons',
    body: protocol.choiceRequest,
    responses: { 200: { description: 'The session in the phase chosen', schema: protocol.sessionView } },
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/investigate',
    summary: 'Look something up',
    tag: 'Lessons',
    body: protocol.investigateRequest,
    responses: {
      200: { description: 'What it found, and the queries it unlocks', schema: protocol.investigateResponse },
    },
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/respond',
    summary: 'Say something to the character',
    tag: 'Turns',
    body: protocol.messageRequest,
    responses: { 200: eventStream },
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/debrief',
    summary: 'The debrief, at the end of a lesson; asked again, the same one',
    tag: 'Turns',
    responses: { 200: eventStream },
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/turns/{turn}/events',
    summary: 'A turn from `Last-Event-ID` (or `?after=`) on, then live',
    tag: 'Turns',
    query: { after: 'The sequence number of the last event seen' },
    responses: { 200: eventStream, 204: { description: 'The terminal event was seen already' } },
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/turns/{turn}/stop',
    summary: 'End the turn where it stands; idempotent',
    tag: 'Turns',
    responses: { 202: { description: 'It ends', schema: protocol.stopResponse } },
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/turns/{turn}/trace',
    summary: 'Why the character said that (teachers, facilitators, admins)',
    tag: 'Turns',
    responses: { 200: { description: 'The trace', schema: z.looseObject({ turn_id: z.string() }) } },
  },
  {
    method: 'post',
    path: '/api/tickets',
    summary: 'A single-use ticket for `GET /api/live`, good for 30 s',
    tag: 'Turns',
    responses: { 201: { description: 'The ticket', schema: ticketResponse } },
  },
  {
    method: 'get',
    path: '/api/live',
    summary: 'The same turns over one WebSocket, for clients that hold several',
    tag: 'Turns',
    query: { ticket: 'From `POST /api/tickets`, where neither a header nor the cookie can be sent' },
    responses: {
      101: { description: 'JSON messages: the schemas `Live_client` and `Live_server`' },
      426: { description: 'Not asked for as a WebSocket' },
    },
  },
  ...conversationDescriptions,
  ...preparedDescriptions,
  ...meDescriptions,
  {
    method: 'get',
    path: '/healthz',
    summary: 'The process lives',
    tag: 'Health',
    responses: { 200: { description: 'It does' } },
    isOpen: true,
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'What the server stands on answers',
    tag: 'Health',
    responses: { 200: { description: 'Ready' }, 503: { description: 'Not ready' } },
    isOpen: true,
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Prometheus text',
    tag: 'Health',
    responses: { 200: { description: 'Metrics', media: 'text/plain' } },
    isOpen: true,
  },
];

/** The OpenAPI 3.1 document, made from the schemas that validate. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routeDescriptions) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trickster',
      version: '1.0.0',
      description: 'Conversations for classrooms, streamed as server-sent events.',
    },
    paths,
    components: {
      schemas: {
        Problem: jsonSchema(protocol.problem),
        Live_client: jsonSchema(clientMessage, 'input'),
        Live_server: jsonSchema(serverMessage),
        ...Object.fromEntries(
          Object.entries(protocol.turnEvents).map(([name, schema]) => [`Event_${name}`, jsonSchema(schema)]),
        ),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'trickster' },
      },
    },
  };
}

function operation(route: RouteDescription): Record<string, unknown> {
  const parameters = [
    ...[...route.path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(route.query ?? {}).map(([name, description]) => ({
      name,
      in: 'query',
      description,
      schema: { type: 'string' },
    })),
  ];
  const problem = {
    description: 'A problem',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  return {
    summary: route.summary,
    tags: [route.tag],
    parameters,
    ...(route.isOpen ? { security: [] } : { security: [{ bearer: [] }, { cookie: [] }] }),
    ...(route.body
      ? {
          requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, { description, schema, media }]) => {
          const content = schema
            ? { 'application/json': { schema: jsonSchema(schema) } }
            : media
              ? { [media]: { schema: { type: 'string' } } }
              : null;
          return [status, content ? { description, content } : { description }];
        }),
      ),
      default: problem,
    },
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): unknown {
  return z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
}
