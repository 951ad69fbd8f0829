import { isInteraction } from '../cartridge/lesson.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Layer } from '../prompt/layer.ts';
import { type AssembledCall, assembleLessonCall, openingOf, transitionToolName } from '../prompt/lesson-call.ts';
import type { ReplyPolicy } from '../safety/reply-filter.ts';
import { linesFor } from './lines.ts';
import { crisisLayer, easeOffLayer, outOfRoleLayer } from './moment-layers.ts';
import { type ModelCall, ModelError, type ModelProvider } from './ports/model.ts';
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
export function assembleCall(parts: TurnParts, job: TurnJob): AssembledCall {
  const extraLayers: Layer[] = [];
  if (job.state.easeOff) extraLayers.push(easeOffLayer(job.lesson.safety.intensity_ceiling));
  if (job.state.outOfRole) extraLayers.push(outOfRoleLayer());
  if (isCrisis(job)) extraLayers.push(crisisLayer(crisisKinds(job)));
  return assembleLessonCall({
    kind: job.kind,
    context: job.context,
    history: job.history,
    mark: job.state.mark,
    budgetTokens: parts.settings.promptBudgetTokens,
    tokensOf: (text) => parts.tokensOf(text, job.session.language),
    extraLayers,
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
  const about = { language: job.session.language, boundaries: job.lesson.safety.content_boundaries };
  using watch = new SentenceWatch({ judge: parts.sentenceJudge, clock: parts.clock, about });
  const heard: Voice = {
    get text() {
      return voice.text;
    },
    tokenLengths: voice.tokenLengths,
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
  const { language } = job.session;
  const lines = linesFor(language);
  if (job.kind === 'dialogue' && job.screen.safeWord) {
    voice.say(lines.steppedOut);
    if (isCrisis(job)) voice.say(helpText(parts, language, crisisKinds(job)));
    return { kind: 'stepped_out', reply: null };
  }
  const modelCall = modelCallOf(speaking);
  const first = await replyOrFallback(parts, speaking, modelCall);
  let last = first;
  if (isSilent(voice) && first.violation === null && first.closing !== '')
    last = await sayClosing(parts, speaking, first);
  if (isSilent(voice) && last.violation === null) {
    notes.decisions.push('nudged: the reply was empty');
    const nudged = await replyOrFallback(parts, speaking, nudge(modelCall, lines.nudge));
    last = { ...nudged, signal: first.signal ?? nudged.signal };
  }
  if (last.violation !== null) {
    return redaction(parts, job, last.violation.boundary);
  }
  if (isSilent(voice)) {
    notes.decisions.push('fallback line: the reply was empty twice');
    voice.say(isCrisis(job) ? lines.crisis : lines.emptyReply);
  }
  if (isCrisis(job)) voice.say(helpText(parts, language, crisisKinds(job)));
  return { kind: 'said', reply: last };
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
      policy: policyOf(job),
      voice: speaking.voice,
      signal: speaking.signal,
      refuseSignal: refusalOf(job),
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
async function sayClosing(parts: TurnParts, speaking: Speaking, reply: Reply): Promise<Reply> {
  const { notes, job } = speaking;
  const spoken: ModelProvider = {
    name: notes.provider,
    model: notes.model,
    async *stream() {
      for (const text of reply.closing.split(/(?<=\s)(?=\S)/u)) yield { type: 'text', text };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const said = await streamReply(parts, {
    provider: spoken,
    call: modelCallOf(speaking),
    policy: policyOf(job),
    voice: speaking.voice,
    signal: speaking.signal,
    refuseSignal: 'part of a tool call',
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
  const { interaction } = job.phase;
  return {
    system: call.system,
    messages: call.messages,
    tools: call.tools,
    brief: {
      kind: job.kind,
      language: job.session.language,
      title: job.lesson.title,
      opening: openingOf(job),
      keyLesson: job.lesson.reveal.key_lesson,
      said: job.history.filter((message) => message.role === 'user').map((message) => message.content),
      points: call.points,
      exchangeNumber: job.context.exchangeNumber,
      maxExchanges: isInteraction(interaction, 'freeform') ? interaction.max_exchanges : 1,
    },
  };
}

function policyOf({ lesson, kind, session, context, state }: TurnJob): ReplyPolicy {
  const isPlaying = kind === 'dialogue' && !state.outOfRole;
  return {
    boundaries: lesson.safety.content_boundaries,
    mode: kind,
    language: session.language,
    intensity: isPlaying ? { ceiling: lesson.safety.intensity_ceiling, exchangeNumber: context.exchangeNumber } : null,
    toolNames: [transitionToolName],
  };
}

function refusalOf(job: TurnJob): string | null {
  if (job.kind === 'debrief') return 'a debrief has no transition';
  if (isCrisis(job)) return 'a crisis comes before the lesson';
  return job.context.transitionOffered ? null : 'before min_exchanges';
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
