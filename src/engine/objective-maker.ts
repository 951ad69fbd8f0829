import type { CompanionCartridge } from '../cartridge/companion.ts';
import { isoTime } from '../core/clock.ts';
import { quoteAsData } from '../prompt/layer.ts';
import { type ModelTaskParts, readJsonReply, runModelTask, unusable } from './model-task.ts';
import { readObjectives, writeObjectives } from './objectives.ts';
import type { CompanionStore } from './ports/companion-store.ts';
import type { PreparedStore } from './ports/prepared-store.ts';
import type { Owner } from './ports/store.ts';
import { narrativeOf } from './profile.ts';
import { numberedTurns } from './rolling-memories.ts';

export type ObjectiveParts = ModelTaskParts & {
  companions: CompanionStore;
  prepared: PreparedStore;
  tokensOf: (text: string, language: string) => number;
};

const lastTurns = 12;

/**
 * Prepares a companion for its next conversation with a student: what to ask, what to check on, what to share, from the
 * profile, what is remembered and the earlier sheet. Throws a retryable `AppError` where the model gave nothing that can
 * be used; the earlier sheet then stays.
 */
export async function makeObjectives(
  parts: ObjectiveParts,
  { owner, companion, reason }: { owner: Owner; companion: CompanionCartridge; reason: string },
  signal: AbortSignal,
): Promise<void> {
  const { companions, prepared, clock } = parts;
  const scope = { cartridgeId: companion.id, learnerId: null };
  const now = clock.now();
  const today = isoTime(now).slice(0, 10);
  const [profile, memory, facts, earlier, latest] = await Promise.all([
    prepared.profile(owner.schoolId, owner.userId),
    companions.rollingMemory(owner, scope),
    companions.facts(owner, scope, false),
    prepared.objectives(owner.schoolId, owner.userId, companion.id),
    companions.conversations(owner, { cartridgeId: companion.id, offset: 0, limit: 1 }),
  ]);
  // In the language they last spoke in.
  const language = latest.items[0]?.language ?? companion.language;
  const narrative =
    profile && narrativeOf(profile, { language, today, tokensOf: (text) => parts.tokensOf(text, language) });
  const turns = memory?.turns.slice(-lastTurns) ?? [];
  const said = turns.map(({ role, content }) => ({ role, content }));
  const section = (title: string, text: string | null | undefined) =>
    text ? [`${title}:`, quoteAsData(text)] : [`${title}: none.`];
  const data = [
    `Today is ${today}.`,
    ...section('Profile', narrative),
    ...section('What is remembered', memory?.summary),
    ...section(
      'Facts',
      facts
        .slice(-20)
        .map(({ text }) => text)
        .join('\n'),
    ),
    ...section('The earlier sheet', earlier?.objectives),
    'The last messages:',
    turns.length > 0 ? numberedTurns(turns) : 'none.',
  ].join('\n');
  const task = { owner, companion, name: 'objectives', language, notes: [], data, brief: { said, earlier: '' } };
  const written = await runModelTask(parts, task, signal);
  const reply = readJsonReply(written);
  if (reply === null) throw unusable('the objectives are not the JSON that was asked for');
  await prepared.saveObjectives(owner.schoolId, owner.userId, {
    cartridgeId: companion.id,
    objectives: writeObjectives(readObjectives(JSON.stringify(reply))),
    reason,
    generatedAt: now,
  });
}
