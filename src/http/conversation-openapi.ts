import * as conversation from './conversation-protocol.ts';
import { eventStream, type RouteDescription } from './route-description.ts';
import { messageRequest, stopResponse, widgetView } from './protocol.ts';
import { z } from 'zod';

const page = { page: 'From 1', limit: '1 to 100; 20 where absent' };
const which = {
  cartridge_id: 'The companion; absent: the mentor',
  learner_id: 'About whom; absent: nobody in particular',
};
const update = { description: 'The memory as it now stands', schema: conversation.memoryUpdateView };

/** The routes of companions, as `/openapi.json` and `/docs` tell of them. */
export const conversationDescriptions: readonly RouteDescription[] = [
  {
    method: 'post',
    path: '/api/conversations',
    summary: 'Begin a conversation with a companion',
    tag: 'Conversations',
    body: conversation.conversationRequest,
    responses: {
      201: { description: 'The conversation, with what is remembered', schema: conversation.conversationView },
    },
  },
  {
    method: 'get',
    path: '/api/conversations',
    summary: "The caller's conversations, the one touched last first",
    tag: 'Conversations',
    query: { ...page, cartridge_id: 'With this companion alone', active: '`true` or `false`' },
    responses: { 200: { description: 'A page of them', schema: conversation.conversationList } },
  },
  {
    method: 'get',
    path: '/api/conversations/{id}',
    summary: 'One conversation with its messages and widgets',
    tag: 'Conversations',
    responses: { 200: { description: 'The conversation', schema: conversation.conversationView } },
  },
  {
    method: 'post',
    path: '/api/conversations/{id}/messages',
    summary: 'Say something; the reply is streamed',
    tag: 'Conversations',
    body: messageRequest,
    responses: { 200: eventStream },
  },
  {
    method: 'get',
    path: '/api/conversations/{id}/turns/{turn_id}/events',
    summary: 'A turn from `Last-Event-ID` (or `?after=`) on, then live',
    tag: 'Conversations',
    query: { after: 'The last sequence number seen' },
    responses: { 200: eventStream, 204: { description: 'Nothing comes any more' } },
  },
  {
    method: 'post',
    path: '/api/conversations/{id}/turns/{turn_id}/stop',
    summary: 'End a turn where it stands',
    tag: 'Conversations',
    responses: { 202: { description: 'It is being stopped', schema: stopResponse } },
  },
  {
    method: 'get',
    path: '/api/conversations/{id}/turns/{turn_id}/trace',
    summary: 'Why the character said that (teachers, facilitators, admins)',
    tag: 'Conversations',
    responses: { 200: { description: 'The trace', schema: z.looseObject({ turn_id: z.string() }) } },
  },
  {
    method: 'post',
    path: '/api/conversations/{id}/end',
    summary: 'End a conversation and have it remembered; ended again, the same',
    tag: 'Conversations',
    responses: { 202: { description: 'It has ended', schema: conversation.endResponse } },
  },
  {
    method: 'post',
    path: '/api/conversations/{id}/widgets/{widget_id}',
    summary: 'Confirm, change or put aside what was shown, once',
    tag: 'Conversations',
    body: conversation.widgetRequest,
    responses: {
      200: { description: 'The widget as answered', schema: widgetView },
      409: { description: '`CHANGED_MEANWHILE`: it was answered before' },
    },
  },
  {
    method: 'get',
    path: '/api/conversations/memory',
    summary: 'What the last conversations with a companion left',
    tag: 'Memory',
    query: { cartridge_id: 'Required', learner_id: which.learner_id },
    responses: {
      200: {
        description: 'Facts and topics of the last three, and the latest summary',
        schema: conversation.memoryView,
      },
    },
  },
  {
    method: 'get',
    path: '/api/conversations/greeting',
    summary: "A companion's first words, with what it remembers",
    tag: 'Memory',
    query: { cartridge_id: 'Required', name: 'Whom to greet', language: 'One of the companion’s' },
    responses: { 200: { description: 'The greeting', schema: conversation.greetingView } },
  },
  {
    method: 'get',
    path: '/api/conversation-memory',
    summary: 'The rolling memory about a learner, or about none; with `search`, what was said of something',
    tag: 'Memory',
    query: {
      ...which,
      search: 'Words; "a phrase"; -without',
      include_archive: '`true`: what was archived too',
      ...page,
    },
    responses: {
      200: {
        description: 'The memory, or what was found',
        schema: z.union([conversation.memoryUpdateView, conversation.memorySearchView]),
      },
    },
  },
  {
    method: 'post',
    path: '/api/conversation-memory',
    summary: 'Take turns into the rolling memory and bring its summary up to date',
    tag: 'Memory',
    body: conversation.memoryRequest,
    responses: { 200: update },
  },
  {
    method: 'put',
    path: '/api/conversation-memory',
    summary: "Put one's own words in the summary's place",
    tag: 'Memory',
    body: conversation.memoryEdit,
    responses: { 200: update },
  },
  {
    method: 'delete',
    path: '/api/conversation-memory',
    summary: 'Archive the memory and forget it',
    tag: 'Memory',
    query: which,
    responses: {
      200: { description: 'Whether there was anything to archive', schema: conversation.memoryClearedView },
    },
  },
  {
    method: 'get',
    path: '/api/learners',
    summary: 'Whom the caller talks about, by name (facilitators, teachers)',
    tag: 'Memory',
    responses: { 200: { description: 'Learners', schema: z.object({ items: z.array(conversation.learnerView) }) } },
  },
  {
    method: 'post',
    path: '/api/learners',
    summary: 'Add a learner, or give one another name',
    tag: 'Memory',
    body: conversation.learnerRequest,
    responses: { 201: { description: 'The learner', schema: conversation.learnerView } },
  },
];
