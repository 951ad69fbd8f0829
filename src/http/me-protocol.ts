import { z } from 'zod';
import { consentKinds } from '../engine/consent.ts';
import { pagination } from './conversation-protocol.ts';
import { displayName } from './protocol.ts';

/*
 * What goes over the wire about what is held of a person, what was agreed to, and what guardians read: requests are
 * validated by these schemas, and `/openapi.json` is made from them.
 */

const id = z.string().min(1).max(200);
const kind = z.enum(consentKinds, `must be one of: ${consentKinds.join(', ')}`);
const studentId = id.nullish().describe('Absent: the one child in the caller’s care, or the student who calls');

export const consentRequest = z.union([
  z.strictObject({ student_id: studentId, kind, granted: z.boolean() }),
  z.strictObject({ student_id: studentId, consents: z.partialRecord(kind, z.boolean()) }),
]);

export const consentList = z.object({
  items: z.array(
    z.object({
      student_id: id,
      student_name: z.string().nullable(),
      kind,
      granted: z.boolean(),
      changed_at: z.iso.datetime().nullable().describe('Null: nobody has said anything yet'),
      by: z.string().nullable().describe('Who said so'),
    }),
  ),
});

export const guardianRequest = z.object({
  student_id: id,
  display_name: displayName.nullish(),
  guardian_id: id
    .nullish()
    .describe('A guardian of another student of the caller’s, for a second child; absent: a new one'),
});

export const guardianView = z.object({
  guardian_id: id,
  student_id: id,
  link: z.url().describe('The way in for this guardian alone: hand it to them'),
});

export const guardianList = z.object({
  items: z.array(z.object({ guardian_id: id, display_name: z.string().nullable(), linked_at: z.iso.datetime() })),
});

export const parentNoteView = z.object({
  id,
  student_id: id,
  student_name: z.string().nullable(),
  cartridge_id: id,
  subject: z.string(),
  duration_minutes: z.int(),
  summary: z.string(),
  highlights: z.array(z.string()),
  concerns: z.array(z.string()).nullable(),
  suggestions: z.array(z.string()).nullable(),
  generated_at: z.iso.datetime(),
  viewed_at: z.iso.datetime().nullable(),
});

export const parentNoteList = z.object({ items: z.array(parentNoteView), pagination });
export const parentNotesQuery = z.object({ student_id: id.optional() });

export const exportView = z.looseObject({
  exported_at: z.iso.datetime(),
  kept_by_others: z.looseObject({}).describe('What facilitators have remembered about the caller'),
});

export const erasureReceipt = z.object({
  receipt_id: id,
  erased_at: z.iso.datetime(),
  rows: z.record(z.string(), z.int()).describe('How many rows of which table'),
  total: z.int(),
});
