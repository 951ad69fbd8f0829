import { type CompiledSafety, indicatorsOf, markersOf } from './compile.ts';
import { HoldBack } from './hold-back.ts';
import { Judge } from './judge.ts';
import { PersonalDataScan } from './personal-data.ts';
import { liveBoundaries } from './policy.ts';
import type { Severity } from './safety-files.ts';
import { ToolLeakFilter } from './tool-leak.ts';

/** What one reply is held to. */
export type ReplyPolicy = {
  /** The cartridge's `content_boundaries` as written; `self_harm` and `sexual_content` are live whatever it lists. */
  boundaries: readonly string[];
  /** In a debrief, what is taught about may be named: see the debrief exemption. */
  mode: 'dialogue' | 'debrief';
  language: string;
  /** The cartridge's ceiling (1 to 5) and the number of the student's message that is answered; null: not scored. */
  intensity: { ceiling: number; exchangeNumber: number } | null;
  /** Tools whose calls, written out as text, are never shown. */
  toolNames: readonly string[];
};

/** The match that ended a reply: its boundary (`intensity` for pressure), the lexicon entry and its severity. */
export type Violation = { boundary: string; entryId: string; severity: Severity };

/** A tool call that the model wrote out as text. */
export type LeakedCall = { name: string; signal: string | null; responseText: string | null };

/** Text in by any chunks, safe text out at once. */
export interface ReplyFilter {
  /** The text that is safe to show now, '' where all of it is held. After a violation always ''. */
  push(text: string): string;
  /** The reply is over: what was held and turned out safe. Call once; look at `violation` afterwards. */
  end(): string;
  readonly violation: Violation | null;
  readonly leakedCalls: readonly LeakedCall[];
  /** The reply's adversarial pressure so far, 1 to 5. */
  readonly intensity: number;
  /** Over the ceiling but not one and a half times over it: the next turn de-escalates. */
  readonly pressureExceeded: boolean;
}

/** A filter for one reply, made from tables that all replies share. */
export function createReplyFilter(compiled: CompiledSafety, policy: ReplyPolicy): ReplyFilter {
  const judge = new Judge(policy, compiled.heaviest);
  const live = liveBoundaries(policy.boundaries);
  const book = compiled.reply;
  const forbidden = book.maskOf(live);
  const indicators = policy.intensity ? book.maskOf([indicatorsOf(policy.language)]) : 0;
  const markers = policy.mode === 'debrief' ? book.maskOf([markersOf(policy.language)]) : 0;
  const holdBack = new HoldBack(
    {
      words: book.words,
      machine: book.machineFor({ hold: forbidden, follow: forbidden | indicators | markers }),
      pressedMachine: book.machineFor({ hold: forbidden | indicators, follow: forbidden | indicators | markers }),
      entries: book.entries,
      boundaryOf: (bits) => book.groupsOf(bits & forbidden)[0] ?? null,
    },
    judge,
    live.has('personal_data') ? new PersonalDataScan(compiled.publicContacts) : null,
  );
  const leaks = new ToolLeakFilter(policy.toolNames);
  return {
    push: (text) => (judge.violation ? '' : holdBack.push(leaks.push(text))),
    end() {
      const released = judge.violation ? '' : holdBack.push(leaks.end());
      return released + holdBack.end();
    },
    get violation() {
      return judge.violation;
    },
    get leakedCalls() {
      return judge.violation ? [] : leaks.calls;
    },
    get intensity() {
      return judge.intensity;
    },
    get pressureExceeded() {
      return judge.pressureExceeded;
    },
  };
}
