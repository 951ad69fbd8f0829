import type { JsonPath, JsonSource } from '../core/json-source.ts';
import type { CartridgeReading, CartridgeText } from './cartridge-text.ts';
import {
  type CompanionCartridge,
  companionSchema,
  companionTools,
  contextLayers,
  endings,
  isContextLayer,
  memoryLayers,
} from './companion.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Complaint } from './finding.ts';
import { didYouMean } from './nearest-word.ts';
import { complainOfIssues, complainOfUnknowns, quote } from './schema-complaints.ts';
import { shapeValue } from './shape.ts';

/** Reads a companion: its shape first, then what its parts say of each other. */
export function readCompanion(source: JsonSource, input: CartridgeText): CartridgeReading {
  const shaped = shapeValue(companionSchema, source.value);
  const unknown = complainOfUnknowns(shaped.unknowns);
  const result = companionSchema.safeParse(shaped.value);
  if (!result.success) {
    const issues = complainOfIssues(result.error.issues, companionSchema, shaped);
    return { cartridge: null, complaints: [...unknown, ...issues] };
  }
  const companion: CompanionCartridge = result.data;
  const complaints = [
    ...checkFolder(companion, input.folder),
    ...checkLayers(companion),
    ...checkWords(companion.tools, { key: 'tools', known: companionTools, what: 'a tool that is offered here' }),
    ...checkEndings(companion),
    ...checkMemory(companion),
  ].map((complaint) => ({ ...complaint, path: shaped.origin(complaint.path) }));
  const isServed = complaints.every((complaint) => complaint.severity === 'warning');
  return { cartridge: isServed ? deepFreeze(companion) : null, complaints: [...unknown, ...complaints] };
}

function checkFolder({ id }: CompanionCartridge, folder: string | undefined): Complaint[] {
  if (folder === undefined || folder === id) return [];
  const message = `The cartridge is in the folder ${quote(folder)}, yet its "id" is ${quote(id)}.`;
  return [error(['id'], message, `Write ${quote(folder)}, or rename the folder to ${quote(id)}.`)];
}

/** Every layer known, none twice, and no memory before what keeps the conversation safe. */
function checkLayers({ context }: CompanionCartridge): Complaint[] {
  const names = context.map((entry) => (typeof entry === 'string' ? entry : entry.layer));
  const firstMemory = names.findIndex((name) => memoryLayers.has(name));
  return names.flatMap((name, index): Complaint[] => {
    const path = typeof context[index] === 'string' ? ['context', index] : ['context', index, 'layer'];
    if (!isContextLayer(name)) {
      const hint =
        didYouMean(name, Object.keys(contextLayers)) || `Known are ${Object.keys(contextLayers).join(', ')}.`;
      return [warning(path, `There is no layer ${quote(name)}; it is left out.`, hint)];
    }
    if (names.indexOf(name) < index)
      return [error(path, `The layer ${quote(name)} stands there twice.`, 'Take one of them out.')];
    const isSafety = name === 'safety' || name === 'safety_configuration';
    if (isSafety && firstMemory >= 0 && firstMemory < index) {
      const message = `The layer ${quote(name)} stands after ${quote(names[firstMemory] ?? '')}, which holds what people said.`;
      return [error(path, message, 'Put it before every layer of memory: memory must never have the first word.')];
    }
    return [];
  });
}

function checkEndings({ session }: CompanionCartridge): Complaint[] {
  const what = 'something that is done at the end of a conversation';
  return checkWords(session.on_end, { key: 'on_end', known: endings, what }).map((complaint) => ({
    ...complaint,
    path: ['session', ...complaint.path],
  }));
}

/** A layer of a kind of memory that the cartridge does not keep would always be empty. */
function checkMemory({ context, memory, session, workflow, reply_format: format }: CompanionCartridge): Complaint[] {
  const names = new Set(context.map((entry) => (typeof entry === 'string' ? entry : entry.layer)));
  const [least = 1, most = least] = memory.rolling?.summary_words ?? [];
  const needs: [string, boolean, string][] = [
    ['rolling_memory', memory.rolling !== undefined, '"memory": { "rolling": {} }'],
    ['conversation_summary', memory.rolling !== undefined, '"memory": { "rolling": { "update": "session" } }'],
    ['session_memory', memory.sessions !== undefined, '"memory": { "sessions": {} }'],
    ['typed_memories', memory.typed !== undefined, '"memory": { "typed": {} }'],
    ['context_analysis', memory.typed !== undefined, '"memory": { "typed": {} }'],
    ['workflow', workflow !== undefined, '"workflow": { "levels": […] }'],
    ['reply_format', format !== undefined, '"reply_format": { … }'],
    ['objectives', session.on_end.includes('objectives'), '"on_end": ["objectives"] in "session"'],
  ];
  return [
    ...needs
      .filter(([name, isThere]) => names.has(name) && !isThere)
      .map(([name, , needed]) =>
        warning(['context'], `The layer ${quote(name)} will always be empty.`, `Add ${needed}, or take the layer out.`),
      ),
    ...(least > most
      ? [
          error(
            ['memory', 'rolling', 'summary_words'],
            'The least is more than the most.',
            'Write the smaller number first.',
          ),
        ]
      : []),
  ];
}

function checkWords(
  words: readonly string[],
  { key, known, what }: { key: string; known: readonly string[]; what: string },
): Complaint[] {
  return words.flatMap((word, index): Complaint[] => {
    if (known.includes(word)) return [];
    const hint = didYouMean(word, [...known]) || `Known are ${known.join(', ')}.`;
    return [warning([key, index], `${quote(word)} is not ${what}; it is left out.`, hint)];
  });
}

function error(path: JsonPath, message: string, hint: string): Complaint {
  return { severity: 'error', path, message, hint };
}

function warning(path: JsonPath, message: string, hint: string): Complaint {
  return { severity: 'warning', path, message, hint };
}
