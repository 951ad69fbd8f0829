import type { RouteDescription } from './route-description.ts';
import * as prepared from './prepared-protocol.ts';

const page = { page: 'From 1', limit: '1 to 100; 20 where absent' };

/** The routes of characters that come prepared, as `/openapi.json` and `/docs` tell of them. */
export const preparedDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/api/profiles/{user_id}',
    summary:
      "A student's profile (the student, their teachers, facilitators and admins); its version is the `ETag` too",
    tag: 'Profiles',
    responses: { 200: { description: 'The profile; version 0 where there is none yet', schema: prepared.profileView } },
  },
  {
    method: 'put',
    path: '/api/profiles/{user_id}',
    summary: 'Save a profile, where nobody has since the version named (in the body, or by `If-Match`)',
    tag: 'Profiles',
    body: prepared.profileRequest,
    responses: {
      200: { description: 'The profile as saved', schema: prepared.profileView },
      409: { description: '`CHANGED_MEANWHILE`, with the `version` it is at now' },
    },
  },
  {
    method: 'get',
    path: '/api/objectives',
    summary: 'What companions have prepared for a student (their teachers, facilitators, admins)',
    tag: 'Profiles',
    query: { user_id: 'The student; required', cartridge_id: 'Of this companion alone' },
    responses: { 200: { description: 'A prep sheet for each companion', schema: prepared.objectivesView } },
  },
  {
    method: 'post',
    path: '/api/objectives/refresh',
    summary: 'Have objectives made anew',
    tag: 'Profiles',
    body: prepared.refreshRequest,
    responses: { 202: { description: 'They will be', schema: prepared.refreshResponse } },
  },
  {
    method: 'get',
    path: '/api/memories',
    summary: "What is remembered of a project of the caller's, latest first",
    tag: 'Projects',
    query: { project_id: 'Required', type: 'Of this type alone', ...page },
    responses: { 200: { description: 'Items that have not expired', schema: prepared.memoryItemList } },
  },
  {
    method: 'post',
    path: '/api/memories',
    summary: 'Remember something of a project; one of the same type and key gives way to it',
    tag: 'Projects',
    body: prepared.memoryItemRequest,
    responses: { 201: { description: 'The item', schema: prepared.memoryItemView } },
  },
  {
    method: 'delete',
    path: '/api/memories',
    summary: 'Forget items of a project: all, of a type, of a key',
    tag: 'Projects',
    query: { project_id: 'Required', type: 'Of this type alone', key: 'Of this key alone' },
    responses: { 200: { description: 'How many there were', schema: prepared.memoryItemsDeleted } },
  },
  {
    method: 'post',
    path: '/api/context/analysis',
    summary: 'What of a project has to do with a message, how far it answers it, and what to do next',
    tag: 'Projects',
    body: prepared.analysisRequest,
    responses: { 200: { description: 'Terms, memories, scores, suggestions', schema: prepared.analysisView } },
  },
];
