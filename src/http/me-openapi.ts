import * as me from './me-protocol.ts';
import type { RouteDescription } from './route-description.ts';

const page = { page: 'From 1', limit: '1 to 100; 20 where absent' };

/** What is held about a person, what was agreed to, and guardians, as `/openapi.json` and `/docs` tell of it. */
export const meDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/api/me/export',
    summary: 'Everything held about the caller; of a withdrawn reply only what stands in its place',
    tag: 'Signing in',
    responses: { 200: { description: 'Rows by what they are of', schema: me.exportView } },
  },
  {
    method: 'delete',
    path: '/api/me',
    summary: 'Erase the caller, for good: every row, every index, and the bytes on the disk',
    tag: 'Signing in',
    responses: { 200: { description: 'The receipt; from now on the token is nobody’s', schema: me.erasureReceipt } },
  },
  {
    method: 'post',
    path: '/api/sign-out',
    summary: 'Take the token out of the pages’ cookie; it still holds for whoever else has it',
    tag: 'Signing in',
    responses: { 204: { description: 'Nobody is signed in in this browser' } },
  },
  {
    method: 'get',
    path: '/api/me/consents',
    summary: 'What was agreed to (a guardian: for each child; a student: for themselves)',
    tag: 'Signing in',
    responses: { 200: { description: 'Consents', schema: me.consentList } },
  },
  {
    method: 'put',
    path: '/api/me/consents',
    summary: 'Agree, or take it back (guardians); a student may only take it back',
    tag: 'Signing in',
    body: me.consentRequest,
    responses: { 200: { description: 'Consents as they now are', schema: me.consentList } },
  },
  {
    method: 'post',
    path: '/api/classes/{id}/guardians',
    summary: 'Bring in a guardian for a student of the class (its teacher)',
    tag: 'Classes',
    body: me.guardianRequest,
    responses: { 201: { description: 'The guardian, and the link to hand them', schema: me.guardianView } },
  },
  {
    method: 'get',
    path: '/api/students/{id}/guardians',
    summary: 'Who has a student in their care (a teacher of theirs)',
    tag: 'Classes',
    responses: { 200: { description: 'Guardians', schema: me.guardianList } },
  },
  {
    method: 'delete',
    path: '/api/students/{id}/guardians/{guardian_id}',
    summary: 'Take a student out of a guardian’s care, and back what that guardian agreed to for them',
    tag: 'Classes',
    responses: { 204: { description: 'The guardian reads nothing of this student any more' } },
  },
  {
    method: 'get',
    path: '/api/parent-notes',
    summary: 'Notes on conversations, for guardians whose consent stands; latest first',
    tag: 'Memory',
    query: { student_id: 'About this child alone', ...page },
    responses: { 200: { description: 'Notes', schema: me.parentNoteList } },
  },
  {
    method: 'post',
    path: '/api/parent-notes/{id}/viewed',
    summary: 'A note was read',
    tag: 'Memory',
    responses: { 200: { description: 'The note', schema: me.parentNoteView } },
  },
];
