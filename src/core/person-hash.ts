import { createHash } from 'node:crypto';

/** A person as they are marked where their name must not be: it tells whoever names them already, and nobody else. */
export function personHash({ schoolId, userId }: { schoolId: string; userId: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([schoolId, userId]))
    .digest('hex');
}
