import type { CompanionCartridge } from '../cartridge/companion.ts';
import { newId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import type { WorkflowLevel } from '../memory/workflow-levels.ts';
import { advanceWorkflow, viewWorkflow, type WorkflowState, type WorkflowStep } from '../memory/workflow.ts';
import type { NewMemoryItem } from './ports/prepared-store.ts';
import type { ProjectChange } from './ports/store.ts';
import { compileReplyFormat, type ReplyFormat, repairRequest } from './reply-format.ts';
import type { Reply, ReplyReader } from './reply.ts';
import { createFieldReader, type FieldReader } from './structured-reply.ts';
import type { ReplyFault, TurnEnd } from './turn-job.ts';

/** How a companion that answers in structure (seed 004) reads and judges its replies. */
export type ProjectTurn = {
  createReader: () => ReplyReader;
  faultOf: (replies: readonly Reply[]) => ReplyFault | null;
  /** All of the reply that is handed out and was not shown as it came. */
  unsaid: () => unknown;
  traceOf: () => object;
  settle: (end: TurnEnd) => { done: object; decision: object; project: ProjectChange | null };
};

export type ProjectTurnInput = {
  companion: CompanionCartridge;
  language: string;
  projectId: string | null;
  message: string;
  /** Whether this turn may be kept in the project's memory. */
  isRemembered: boolean;
  workflow: WorkflowState | null;
  /** When what is kept of it was last changed. */
  workflowAt: number | null;
  levels: readonly WorkflowLevel[];
  startedAt: number;
  random: Random;
  tokensOf: (text: string) => number;
  /** Makes a memory item ready to be kept. */
  itemOf: (item: NewItem) => NewMemoryItem;
};

export type NewItem = { id: string; projectId: string; key: string; value: unknown; now: number };

/** The field of the structured reply that people read. */
const shownField = 'user_explanation';

/** Formats as compiled, by the very object that a cartridge holds. */
const compiled = new WeakMap<object, ReplyFormat>();

/** A structured reply being made: its reader, its judge, and what it leaves behind. */
export function createProjectTurn(input: ProjectTurnInput): ProjectTurn {
  const format = formatOf(input.companion);
  let reader: FieldReader | null = null;
  let value: Readonly<Record<string, unknown>> | null = null;
  /** Whether a whole explanation was shown and then the reply asked for again: what was shown stands. */
  let isMended = false;
  return {
    createReader: () => (reader = createFieldReader(shownField)),
    faultOf: () => {
      const checked = format?.check(reader?.raw ?? '');
      if (!checked || checked.kind === 'valid') {
        value = isRecord(checked?.value) ? checked.value : {};
        return null;
      }
      const request = repairRequest(checked.problems, input.language);
      const isCut = reader?.isCut ?? false;
      isMended = !isCut;
      return { reason: 'the reply does not fit its format', request, isCut };
    },
    unsaid: () => value,
    traceOf: () => ({ reply_is_valid: value !== null }),
    settle: (end) =>
      settleProject(input, isMended && end.text !== '' ? { ...value, [shownField]: end.text } : (value ?? {}), end),
  };
}

function settleProject(
  input: ProjectTurnInput,
  value: Readonly<Record<string, unknown>>,
  end: TurnEnd,
): ReturnType<ProjectTurn['settle']> {
  const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
  const seconds = Math.round(end.now - input.startedAt) / 1_000;
  const structured = { ...value, metadata: { ...metadata, processing_time: seconds } };
  const step = input.isRemembered && input.workflow ? advance(input, input.workflow, { value, metadata, end }) : null;
  const kept = step && step.kind !== 'expired' ? step.state : null;
  const { projectId } = input;
  const workflow = kept && {
    state: JSON.stringify(kept),
    updatedAt: end.now,
    expiresAt: kept.expiresAt,
    // Another conversation about the project may have gone on meanwhile: then that stands.
    replaces: input.workflowAt,
  };
  const items = projectId !== null && input.isRemembered ? [input.itemOf(messageItem(input, projectId, end))] : [];
  return {
    done: { structured, ...(kept ? { workflow: viewWorkflow(kept) } : {}) },
    decision: { workflow: step?.kind ?? null, depth: kept?.depth ?? null },
    project: projectId === null ? null : { projectId, workflow, items },
  };
}

function advance(
  { levels, tokensOf, language }: ProjectTurnInput,
  workflow: WorkflowState,
  {
    value,
    metadata,
    end,
  }: { value: Readonly<Record<string, unknown>>; metadata: Readonly<Record<string, unknown>>; end: TurnEnd },
): WorkflowStep {
  const technical = typeof value['technical_instruction'] === 'string' ? value['technical_instruction'] : '';
  const insights: unknown = metadata['insights'];
  const reply = {
    confidence: typeof value['confidence'] === 'number' ? value['confidence'] : null,
    text: `${end.text}\n${technical}`,
    summary: end.text,
    insights: Array.isArray(insights) ? insights.filter((insight) => typeof insight === 'string') : [],
    now: end.now,
  };
  return advanceWorkflow(workflow, reply, { levels, tokensOf, language });
}

/** What was asked and answered, as one item of the project's memory. */
function messageItem({ random, message }: ProjectTurnInput, projectId: string, end: TurnEnd): NewItem {
  const id = newId(random);
  const value = { user_input: message.slice(0, 2_000), reply: end.text.slice(0, 2_000) };
  return { id, projectId, key: `message-${id}`, value, now: end.now };
}

function formatOf({ reply_format: schema }: CompanionCartridge): ReplyFormat | null {
  if (schema === undefined) return null;
  const known = compiled.get(schema);
  if (known) return known;
  const made = compileReplyFormat(schema);
  // What cannot be compiled is told of when the cartridge is read; here every reply passes.
  if (made.kind === 'wrong') return null;
  compiled.set(schema, made);
  return made;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
