import type { MemoryScope } from '../../src/engine/ports/companion-store.ts';
import type { Owner } from '../../src/engine/ports/store.ts';

/** What the store acknowledged to a process that fills and clears memories; `place` is one of `archivePlaces`. */
export type ArchiveFact =
  | { kind: 'rolled'; place: number; ids: string[] }
  | { kind: 'summarised'; place: number; summary: string }
  | { kind: 'learned'; place: number; id: string }
  | { kind: 'cleared'; place: number };

const people: Owner[] = [
  { schoolId: 'school-1', userId: 'student-1' },
  { schoolId: 'school-2', userId: 'student-1' },
];

/** Where such a process writes: of each person, what is about nobody and what is about one learner. */
export const archivePlaces: readonly { owner: Owner; scope: MemoryScope }[] = people.flatMap((owner) =>
  [null, 'ema'].map((learnerId) => ({ owner, scope: { cartridgeId: 'mentor', learnerId } })),
);

/** What is said in the turn of an id, which no other turn says. */
export function turnText(id: string): string {
  return `Ema kalba apie vulkaną, ${wordOf(id)}. Ąžuolas 🌋`;
}

/** The word that is in one turn alone. */
export function wordOf(id: string): string {
  return `zyme${id.replaceAll('.', 'x')}`;
}
