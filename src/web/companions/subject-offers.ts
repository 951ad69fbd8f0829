import type { LearnerView } from '../protocol-types.ts';
import type { CompanionPage } from './companion-page.ts';
import { aboutOf } from './place.ts';
import { SubjectPicker } from './subject-picker.ts';

/** The learners to choose from; a new one is kept by the server. */
export function offerLearners(
  page: CompanionPage,
  learners: readonly LearnerView[],
  calls: { choose: (learnerId: string | null) => void; added: (learner: LearnerView) => void },
): SubjectPicker {
  return new SubjectPicker(learners, {
    texts: () => page.texts().companions.learner,
    nameOf: () => page.texts().companions.learner.unknown,
    add: (name) => page.client.addLearner(name),
    ...calls,
  });
}

/** The projects of the latest conversations; a new one is its name, and there from its first message on. */
export async function offerProjects(
  page: CompanionPage,
  cartridgeId: string,
  { choose, signal }: { choose: (projectId: string | null) => void; signal: AbortSignal },
): Promise<SubjectPicker> {
  const latest = await page.client.conversations({ cartridgeId, limit: 100 }, { signal }).catch(() => ({ items: [] }));
  const names = new Set(latest.items.flatMap((item) => aboutOf(item).projectId ?? []));
  return new SubjectPicker(
    Array.from(names, (name) => ({ id: name, name })),
    {
      texts: () => page.texts().companions.project,
      nameOf: (id) => id,
      add: (name) => Promise.resolve({ id: name, name }),
      choose,
      added: ({ id }) => choose(id),
    },
  );
}
