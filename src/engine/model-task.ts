import { type CompanionCartridge } from '../cartridge/companion.ts';
import { AppError } from '../core/errors.ts';
import { newMark } from '../core/ids.ts';
import { personHash } from '../core/person-hash.ts';
import { promptDirectory } from '../prompt/snapshot.ts';
import { judgeTexts, textsIn } from '../safety/judge-texts.ts';
import { createReplyFilter, type ReplyPolicy } from '../safety/reply-filter.ts';
import { openModelStream, orAborted } from './model-stream.ts';
import type { PromptLibrary } from './ports/library.ts';
import type { ModelCall, ModelEvent, ModelProvider, ModelTier, TaskBrief } from './ports/model.ts';
import type { Owner } from './ports/store.ts';
import type { TurnParts } from './turn-job.ts';

export type ModelTaskParts = Pick<TurnParts, 'safety' | 'settings' | 'clock' | 'random' | 'logger'> & {
  library: PromptLibrary;
  models: Readonly<Record<ModelTier, ModelProvider>>;
};

/** Work that a companion has a model do when nobody waits for the words. */
export type ModelTask = {
  /** Whose words it is about. */
  owner: Owner;
  companion: CompanionCartridge;
  /** Names the prompt: `remember-<name>.md`, the companion's own or the default. */
  name: string;
  language: string;
  /** What there is to say beside the prompt: the language, the number of words, dates. */
  notes: readonly string[];
  /** What the task is about, quoted; it stands between marks. */
  data: string;
  brief: Pick<TaskBrief, 'said' | 'earlier'>;
};

const mostCharacters = 20_000;

/**
 * Has the task done and gives back what the model wrote, once it has passed the companion's filter: what is not fit to
 * be said is not fit to be remembered either. Throws a retryable `AppError` where no model answered or what it wrote
 * cannot be used.
 */
export async function runModelTask(parts: ModelTaskParts, task: ModelTask, signal: AbortSignal): Promise<string> {
  const provider = parts.models.fast;
  const { companion, language } = task;
  using stream = await openModelStream(provider, callOf(parts, task), {
    settings: parts.settings,
    clock: parts.clock,
    random: parts.random,
    signal,
  });
  const policy: ReplyPolicy = {
    boundaries: companion.safety.content_boundaries,
    mode: 'dialogue',
    language,
    intensity: null,
    toolNames: [],
  };
  const filter = createReplyFilter(parts.safety, policy);
  let text = '';
  let hasEnded = false;
  const take = (event: ModelEvent) => {
    if (event.type === 'text') text += filter.push(event.text);
    else if (event.type === 'end') hasEnded = true;
  };
  take(stream.first);
  const takeRest = async () => {
    for (;;) {
      const next = await stream.rest.next();
      if (next.done) return;
      take(next.value);
      if (filter.violation !== null || text.length > mostCharacters) return;
    }
  };
  try {
    await orAborted(takeRest(), stream.signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw stream.failure(thrown);
  }
  text += filter.end();
  if (filter.violation !== null) throw unusable(`it crossed ${filter.violation.boundary}`);
  if (text.length > mostCharacters) throw unusable('it is too long');
  if (!hasEnded) throw unusable('it broke off');
  // What JSON spells with escapes is read without them.
  const crossed = judgeTexts(parts.safety, policy, textsIn(readJsonReply(text)));
  if (crossed !== null) throw unusable(`it crossed ${crossed.boundary}`);
  return text.trim();
}

/** What a model wrote that cannot be kept; `why` is for the log. */
export function unusable(why: string): AppError {
  return new AppError('MODEL_REPLY_INVALID', why, { retryable: true });
}

function callOf({ library, random }: ModelTaskParts, task: ModelTask): ModelCall {
  const { owner, companion, name, language, notes, data, brief } = task;
  const prompt = library.resolve(promptDirectory(companion), `remember-${name}`);
  if (!prompt) throw new AppError('INTERNAL', `there is no prompt remember-${name}.md`);
  const mark = newMark(random);
  const languageName = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language;
  return {
    system: [prompt.text.trim(), [`Write in ${languageName}.`, ...notes].join('\n')].join('\n\n'),
    messages: [{ role: 'user', content: `[${mark} data]\n${data}\n[/${mark} data]` }],
    tools: [],
    brief: { kind: 'task', task: name, language, ...brief },
    person: personHash(owner),
  };
}

/** The JSON object in what a model wrote, whatever fence or word it put around it; null where there is none. */
export function readJsonReply(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return null;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return null;
  }
}
