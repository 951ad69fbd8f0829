import { z } from 'zod';
import { pagination } from './conversation-protocol.ts';

/* What staff are told of who their students are. */

const id = z.string();

export const classStudent = z.object({ user_id: id, display_name: z.string().nullable(), joined_at: z.iso.datetime() });

export const classStudentList = z.object({ items: z.array(classStudent), pagination });

export const studentView = z.object({
  user_id: id,
  display_name: z.string().nullable(),
  classes: z
    .array(z.object({ id, title: z.string(), joined_at: z.iso.datetime() }))
    .describe("The caller's own classes that the student is in"),
  companions: z
    .array(z.object({ id, title: z.string(), language: z.string() }))
    .describe('The companions that prepare for their conversations with a student'),
});
