import type { LessonBrief } from '../engine/ports/model.ts';
import { type Coverage, coverPoint, findQuote, type Heard, hear, shorten } from './coverage.ts';
import { linesFor, type OfflineLines } from './offline-lines.ts';

export type Speech = { text: string; signal: 'understood' | 'partial' | 'max_reached' | null };

/**
 * What a character with no model behind it answers in a lesson: it asks about what the student has not touched on,
 * and signals where it may. `said` are the student's messages in this phase, oldest first.
 */
export function speakInDialogue(brief: LessonBrief, said: readonly string[], maySignal: boolean): Speech {
  const lines = linesFor(brief.language);
  const heard = hear(said, lines);
  const covers = brief.points.map((point) => ({ point, ...coverPoint(point, heard, lines) }));
  const mandatory = covers.filter(({ point }) => point.isMandatory);
  const required = mandatory.length > 0 ? mandatory : covers;
  const isAllCovered = required.length > 0 && required.every(({ isCovered }) => isCovered);
  const isAnyCovered = covers.some(({ isCovered }) => isCovered);
  const notice = noticeOf(brief, heard, lines);

  if (isAllCovered && maySignal) return { text: join(notice, lines.understood), signal: 'understood' };
  const left = brief.maxExchanges - brief.exchangeNumber;
  if (isAnyCovered && maySignal && left <= 1) return { text: join(notice, lines.partial), signal: 'partial' };
  if (left <= 0) return { text: join(notice, lines.lastExchange), signal: maySignal ? 'max_reached' : null };

  const isOpen = ({ isCovered }: Coverage) => !isCovered;
  const open = required.some(isOpen) ? required.filter(isOpen) : covers.filter(isOpen);
  const question = ask(brief, turn(open, brief.exchangeNumber), lines);
  if (brief.exchangeNumber === 1) {
    return { text: join(lines.disclosure, notice ?? beginning(brief, lines), question), signal: null };
  }
  if (isShort(said.at(-1) ?? '')) return { text: join(notice, inTurn(lines.sayMore, brief)), signal: null };
  return { text: join(notice ?? inTurn(lines.carryOn, brief), question), signal: null };
}

/** The honest reveal at a lesson's end: every point and technique, tied to what the student wrote in the lesson. */
export function speakInDebrief(brief: LessonBrief, said: readonly string[]): string {
  const lines = linesFor(brief.language);
  const { debrief } = lines;
  const heard = hear(said, lines);
  const points = brief.points.map((point, index) => {
    const quote = coverPoint(point, heard, lines).isCovered ? findQuote(point, heard, lines) : null;
    const technique = nameOf(point.technique);
    return join(
      `${index + 1}. ${sentence(point.description)}`,
      quote === null ? debrief.unsaid : debrief.said(lines.quote([quote])),
      technique && debrief.technique(lines.quote([technique])),
      point.realWorld && debrief.realWorld(sentence(point.realWorld)),
    );
  });
  return [
    debrief.disclosure,
    brief.keyLesson && debrief.keyLesson(sentence(brief.keyLesson)),
    ...(points.length > 0 ? [debrief.heading, ...points] : []),
    debrief.farewell,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Notices what the last message alone has brought; null where it brought no point nearer. */
function noticeOf(brief: LessonBrief, heard: readonly Heard[], lines: OfflineLines): string | null {
  const before = heard.slice(0, -1);
  for (const point of brief.points) {
    const { isCovered } = coverPoint(point, heard, lines);
    if (!isCovered || coverPoint(point, before, lines).isCovered) continue;
    const { used } = coverPoint(point, heard.slice(-1), lines);
    if (used.length > 0) return inTurn(lines.noticed, brief)(lines.quote(used.slice(0, 2)));
  }
  return null;
}

type Open = (Coverage & { point: LessonBrief['points'][number] }) | undefined;

/** A question about an open point: first one that gives nothing away, then with a hint, near the end with its name. */
function ask(brief: LessonBrief, open: Open, lines: OfflineLines): string {
  const { exchangeNumber, maxExchanges } = brief;
  if (exchangeNumber === 1 || !open) return inTurn(lines.questions, brief);
  const technique = nameOf(open.point.technique);
  if (technique && maxExchanges - exchangeNumber <= 2) return lines.technique(lines.quote([technique]));
  const words = [turn(open.missing, exchangeNumber), turn(open.missing, exchangeNumber + 1)].filter(
    (word, index, all): word is string => word !== undefined && all.indexOf(word) === index,
  );
  return words.length > 0 ? inTurn(lines.hints, brief)(lines.quote(words)) : inTurn(lines.questions, brief);
}

/** An answer that there is little to say to yet. */
function isShort(answer: string): boolean {
  return answer.trim().split(/\s+/u).length < 3;
}

/** Goes back to the last thing that the character said before the student spoke. */
function beginning({ opening }: LessonBrief, lines: OfflineLines): string | null {
  const last = opening.match(/[^.!?…\n]+[.!?…]*/gu)?.findLast((part) => part.trim() !== '');
  if (!last) return null;
  const quoted = shorten(last, 140);
  return `${lines.opened(lines.quote([quoted]))}${/[.!?…]$/u.test(quoted) ? '' : '.'}`;
}

function inTurn<Line>(choices: readonly Line[], { exchangeNumber }: LessonBrief): Line {
  const choice = turn(choices, exchangeNumber);
  if (choice === undefined) throw new RangeError('There is nothing to choose from.');
  return choice;
}

/** The `number`th of `choices`, from 1, going round. */
function turn<Item>(choices: readonly Item[], number: number): Item | undefined {
  return choices[(Math.max(1, number) - 1) % choices.length];
}

/** A technique as it is said: authors write some as ids. */
function nameOf(technique: string | null): string | null {
  return technique && shorten(technique.replaceAll('_', ' '), 60);
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…:]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}

function join(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(' ');
}
