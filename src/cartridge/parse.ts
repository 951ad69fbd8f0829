import { type JsonSource, readJson } from '../core/json-source.ts';
import { type Complaint, type Finding, locateComplaints } from './finding.ts';
import type { Cartridge, CartridgeReading, CartridgeText } from './cartridge-text.ts';
import { didYouMean } from './nearest-word.ts';
import { readCompanion } from './read-companion.ts';
import { readLesson } from './read-lesson.ts';
import { quote } from './schema-complaints.ts';
import { valueAt } from './shape.ts';

/** A cartridge as frozen data, with warnings at most; or the reasons why it cannot be served. */
export type ParsedCartridge =
  | { readonly kind: 'parsed'; readonly cartridge: Cartridge; readonly findings: readonly Finding[] }
  | { readonly kind: 'rejected'; readonly findings: readonly Finding[] };

type KindReader = (source: JsonSource, input: CartridgeText) => CartridgeReading;

const kinds: Readonly<Record<string, KindReader>> = { lesson: readLesson, companion: readCompanion };

/**
 * Reads a cartridge: JSON text in, frozen data or findings out. Never throws, whatever the text, and does no I/O.
 * A file without `kind` is a lesson.
 */
export function parseCartridge(input: CartridgeText): ParsedCartridge {
  const reading = readJson(input.text);
  if (reading.kind === 'unreadable') {
    const { position, message, hint } = reading.problem;
    const finding: Finding = { severity: 'error', file: input.file, ...position, path: '$', message, hint };
    return { kind: 'rejected', findings: [finding] };
  }
  const { source } = reading;
  const { cartridge, complaints } = readKind(source, input);
  const ofText = source.problems.map(
    ({ path, message, hint }): Complaint => ({ severity: 'warning', path, part: 'key', message, hint }),
  );
  const findings = locateComplaints([...ofText, ...complaints], input.file, source.locate);
  return cartridge ? { kind: 'parsed', cartridge, findings } : { kind: 'rejected', findings };
}

function readKind(source: JsonSource, input: CartridgeText): CartridgeReading {
  const { value } = source;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse({
      path: [],
      message: 'The file is not an object.',
      hint: 'Write one object { … } with the keys of a lesson.',
    });
  }
  const kind = valueAt(value, ['kind']) ?? 'lesson';
  const read = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (read) return read(source, input);
  const slip = typeof kind === 'string' ? didYouMean(kind, Object.keys(kinds)) : '';
  const hint = `Write "lesson" or "companion", or leave "kind" out for a lesson.${slip === '' ? '' : ` ${slip}`}`;
  const name = typeof kind === 'string' ? quote(kind) : 'This';
  return refuse({ path: ['kind'], message: `${name} is not a kind of cartridge.`, hint });
}

function refuse(complaint: Omit<Complaint, 'severity'>): CartridgeReading {
  return { cartridge: null, complaints: [{ severity: 'error', ...complaint }] };
}
