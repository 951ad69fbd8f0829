import { AppError, type ErrorCode } from '../core/errors.ts';
import { personHash } from '../core/person-hash.ts';
import type { AssembledCall } from '../prompt/assemble.ts';
import { linesFor } from './lines.ts';
import { judgeTexts, textsIn } from '../safety/judge-texts.ts';
import { crisisLayer } from './moment-layers.ts';
import { type ModelCall, ModelError, type ModelMessage, type ModelProvider, type ToolCall } from './ports/model.ts';
import { type Reply, streamReply, type Voice } from './reply.ts';
import { SentenceWatch } from './sentence-watch.ts';
import type { TurnJob, TurnNotes, TurnParts } from './turn-job.ts';

/** How the making of a reply ended, before anything is settled. */
export type Ending =
  | { kind: 'said' | 'stopped' | 'stepped_out'; reply: Reply | null }
  | { kind: 'redacted'; boundary: string; fallback: string }
  | { kind: 'failed'; code: ErrorCode; retryable: boolean };

export type Speaking = { job: TurnJob; call: AssembledCall; voice: Voice; notes: TurnNotes; signal: AbortSignal };

/** Puts the turn's call together, with the layers of the moment: easing off, out of role, crisis. */
export function assembleTurn(parts: TurnParts, { character, session, screen }: TurnJob): AssembledCall {
  const crisis = screen.crisis.length > 0 ? [crisisLayer(screen.crisis.map((sign) => sign.kind))] : [];
  return character.assemble({
    budgetTokens: parts.settings.promptBudgetTokens,
    tokensOf: (text) => parts.tokensOf(text, session.language),
    extraLayers: [...character.momentLayers, ...crisis],
  });
}

/**
 * Makes the reply: the model's, its fallback's, a nudged one, or the house's own line where all else is silent. A
 * learner in distress is answered with the help lines also where no model can be reached. Throws what the provider
 * threw where there is nothing else to say.
 */
export async function makeReply(parts: TurnParts, speaking: Speaking): Promise<Ending> {
  const { job, voice } = speaking;
  if (!parts.sentenceJudge) return trySpeaking(parts, speaking);
  const about = { language: job.session.language, boundaries: job.character.policy.boundaries };
  using watch = new SentenceWatch({ judge: parts.sentenceJudge, clock: parts.clock, about });
  const heard: Voice = {
    get text() {
      return voice.text;
    },
    get tokenLengths() {
      return voice.tokenLengths;
    },
    say(text) {
      voice.say(text);
      watch.hear(text);
    },
  };
  const signal = AbortSignal.any([speaking.signal, watch.against]);
  const spoken = trySpeaking(parts, { ...speaking, voice: heard, signal });
  const [ending] = await Promise.allSettled([spoken]);
  if (ending.status === 'fulfilled' && ending.value.kind === 'redacted') return ending.value;
  // A reply that broke off is judged too: what was said of it was seen.
  const boundary = await watch.settle();
  if (boundary === null) return spoken;
  speaking.notes.decisions.push(`redacted by the sentence judge: ${boundary}`);
  return redaction(parts, job, boundary);
}

/** How a provider says that its own filter ended a reply; the boundary that its followers are told of. */
const filtered = 'content_filter';

async function trySpeaking(parts: TurnParts, speaking: Speaking): Promise<Ending> {
  const { job, voice, notes, signal } = speaking;
  try {
    return await speak(parts, speaking);
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped', reply: notes.replies.at(-1) ?? null };
    if (!isCrisis(job)) throw error;
    notes.decisions.push('crisis line: no model could answer');
    voice.say(`${isSilent(voice) ? '' : '\n\n'}${linesFor(job.session.language).crisis}`);
    voice.say(helpText(parts, job.session.language, crisisKinds(job)));
    return { kind: 'said', reply: null };
  }
}

async function speak(parts: TurnParts, speaking: Speaking): Promise<Ending> {
  const { job, voice, notes } = speaking;
  const { character } = job;
  const { language } = job.session;
  if (character.hasSafeWord && job.screen.safeWord) {
    voice.say(linesFor(language).steppedOut);
    if (isCrisis(job)) voice.say(helpText(parts, language, crisisKinds(job)));
    return { kind: 'stepped_out', reply: null };
  }
  const modelCall = modelCallOf(speaking);
  let last = await replyInRounds(parts, speaking, modelCall);
  const closing = character.closingOf(last);
  if (isSilent(voice) && last.violation === null && closing !== '')
    last = await sayClosing(parts, speaking, { reply: last, closing });
  // The provider's own filter broke the reply off: what it took for harmful is not left standing half said.
  if (last.violation === null && last.endReason === filtered) return redaction(parts, job, filtered);
  if (last.violation === null) last = (await mendReply(parts, speaking, { modelCall, reply: last })) ?? last;
  if (isSilent(voice) && last.violation === null) {
    notes.decisions.push('nudged: the reply was empty');
    last = await replyOrFallback(parts, speaking, nudge(modelCall, character.lines.nudge));
  }
  if (last.violation !== null) {
    return redaction(parts, job, last.violation.boundary);
  }
  if (isSilent(voice)) {
    notes.decisions.push('fallback line: the reply was empty twice');
    voice.say(isCrisis(job) ? linesFor(language).crisis : character.lines.emptyReply);
  }
  if (isCrisis(job)) voice.say(helpText(parts, language, crisisKinds(job)));
  return { kind: 'said', reply: last };
}

/**
 * A reply with its tools: what the model calls is done, quoted back to it as data, and it goes on, for as many rounds
 * as the settings allow; after the last it is offered none.
 */
async function replyInRounds(parts: TurnParts, speaking: Speaking, first: ModelCall): Promise<Reply> {
  const { character } = speaking.job;
  let call = first;
  for (let round = 1; ; round += 1) {
    const reply = await replyOrFallback(parts, speaking, call);
    if (character.perform === null || reply.calls.length === 0 || reply.violation !== null || call.tools.length === 0)
      return reply;
    const results = await performAll(parts, speaking, reply.calls);
    const isLast = round >= parts.settings.toolRounds;
    if (isLast) speaking.notes.decisions.push(`no more tools after ${round} rounds`);
    call = {
      ...call,
      tools: isLast ? [] : call.tools,
      messages: [...call.messages, { role: 'assistant', content: '', toolCalls: reply.calls }, ...results],
    };
  }
}

/** How many calls of one round are done. */
const callsARound = 8;
const tooManyCalls = JSON.stringify({ success: false, error: `at most ${callsARound} calls at once` });

async function performAll(
  { clock }: TurnParts,
  { job, notes, signal }: Speaking,
  calls: readonly ToolCall[],
): Promise<ModelMessage[]> {
  const results: ModelMessage[] = [];
  for (const [index, call] of calls.entries()) {
    if (index >= callsARound) {
      results.push({ role: 'tool', toolCallId: call.id, name: call.name, content: tooManyCalls });
      continue;
    }
    const startedAt = clock.now();
    const outcome = (await job.character.perform?.(call, signal)) ?? { content: '', isError: true, widget: null };
    signal.throwIfAborted();
    if (outcome.widget) notes.widgets.push(outcome.widget);
    notes.tools.push({ name: call.name, isError: outcome.isError, milliseconds: clock.now() - startedAt });
    results.push({ role: 'tool', toolCallId: call.id, name: call.name, content: outcome.content });
  }
  return results;
}

/**
 * Asks once more for a reply whose structure is wrong. What was shown of the first stands, and the second is heard where it
 * broke off; null where all was well.
 */
async function mendReply(
  parts: TurnParts,
  speaking: Speaking,
  { modelCall, reply }: { modelCall: ModelCall; reply: Reply },
): Promise<Reply | null> {
  const { job, notes, voice } = speaking;
  const fault = job.character.faultOf?.(notes.replies) ?? null;
  if (fault === null) return null;
  notes.decisions.push(`asked again: ${fault.reason}`);
  const isWhole = !isSilent(voice) && !fault.isCut;
  if (!isSilent(voice) && fault.isCut) voice.say('…\n\n');
  const again = await replyOrFallback(
    parts,
    isWhole ? { ...speaking, voice: unheard(voice) } : speaking,
    nudge(modelCall, fault.request),
  );
  if (again.violation === null && job.character.faultOf?.(notes.replies))
    throw new AppError('MODEL_REPLY_INVALID', fault.reason, { retryable: true });
  return isWhole ? { ...again, violation: again.violation ?? reply.violation } : again;
}

/** A voice that nobody hears. */
function unheard({ text, tokenLengths }: Voice): Voice {
  return { text, tokenLengths, say: () => {} };
}

/**
 * The filter holds back what is said. What goes out with the end beside it, a widget or the rest of a structured reply, is
 * judged here: a reply that crosses a boundary in it is withdrawn as any other.
 */
export function judgeUnsaid(parts: TurnParts, { job, notes }: Pick<Speaking, 'job' | 'notes'>, ending: Ending): Ending {
  if (job.character.unsaid === null || (ending.kind !== 'said' && ending.kind !== 'stopped')) return ending;
  const violation = judgeTexts(parts.safety, job.character.policy, textsIn(job.character.unsaid()));
  if (violation === null) return ending;
  notes.decisions.push(`redacted for what was not said: ${violation.entryId}`);
  return redaction(parts, job, violation.boundary);
}

/** The end of a reply that crossed a boundary: its fallback, with help lines where someone may need them. */
function redaction(parts: TurnParts, job: TurnJob, boundary: string): Ending {
  const { language } = job.session;
  const kinds = [...crisisKinds(job), ...(boundary === 'self_harm' ? ['self_harm'] : [])];
  const help = kinds.length > 0 ? helpText(parts, language, kinds) : '';
  return { kind: 'redacted', boundary, fallback: `${parts.safety.fallback(language, boundary)}${help}` };
}

/** One reply from the provider; where it is down before it said a word, from the cartridge's fallback. */
async function replyOrFallback(parts: TurnParts, speaking: Speaking, call: ModelCall): Promise<Reply> {
  const { job, notes } = speaking;
  const attempt = async (provider: ModelProvider) => {
    notes.provider = provider.name;
    notes.model = provider.model;
    const reply = await streamReply(parts, {
      provider,
      call,
      policy: job.character.policy,
      voice: speaking.voice,
      signal: speaking.signal,
      reader: job.character.createReader?.() ?? null,
      onAttemptFailed: ({ code, retryable }) => notes.attemptsFailed.push({ provider: provider.name, code, retryable }),
    });
    notes.replies.push(reply);
    return reply;
  };
  try {
    return await attempt(job.provider);
  } catch (error) {
    const isHopeless = !(error instanceof ModelError) || speaking.signal.aborted || !isSilent(speaking.voice);
    if (isHopeless || job.fallback === null) throw error;
    notes.decisions.push(`static fallback: ${job.provider.name} failed with ${error.code}`);
    return attempt(job.fallback);
  }
}

/** Says a tool call's `response_text`, word by word through the same filter as everything else. */
async function sayClosing(
  parts: TurnParts,
  speaking: Speaking,
  { reply, closing }: { reply: Reply; closing: string },
): Promise<Reply> {
  const { notes, job } = speaking;
  const spoken: ModelProvider = {
    name: notes.provider,
    model: notes.model,
    async *stream() {
      for (const text of closing.split(/(?<=\s)(?=\S)/u)) yield { type: 'text', text };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const said = await streamReply(parts, {
    provider: spoken,
    call: modelCallOf(speaking),
    policy: job.character.policy,
    voice: speaking.voice,
    signal: speaking.signal,
    reader: null,
    onAttemptFailed: () => {},
  });
  return { ...reply, violation: said.violation, intensity: said.intensity, pressureExceeded: said.pressureExceeded };
}

/** Whether nothing that can be read was said. */
export function isSilent(voice: Voice): boolean {
  return voice.text.trim() === '';
}

function nudge(call: ModelCall, text: string): ModelCall {
  return { ...call, tools: [], messages: [...call.messages, { role: 'user', content: text }] };
}

function modelCallOf({ job, call }: Speaking): ModelCall {
  return {
    system: call.system,
    messages: call.messages,
    tools: call.tools,
    brief: job.character.brief(call),
    // Only a recording reads it; a hash for every call of every turn would be for nothing.
    get person() {
      return personHash(job.owner);
    },
  };
}

function isCrisis(job: TurnJob): boolean {
  return job.screen.crisis.length > 0;
}

function crisisKinds(job: TurnJob): string[] {
  return [...new Set(job.screen.crisis.map((sign) => sign.kind))];
}

/** The help lines for `kinds` as text to put below a reply; empty where the language has none. */
function helpText(parts: TurnParts, language: string, kinds: readonly string[]): string {
  const { intro, lines } = parts.safety.helpLines(language, kinds);
  if (lines.length === 0) return '';
  return `\n\n${intro}\n${lines.map((line) => `${line.name}: ${line.contact}${line.hours ? ` (${line.hours})` : ''}`).join('\n')}`;
}
