/**
 * What a model's reply may hold where it wrote a tool call out as text. `prose`: nothing of the kind. `unsure`: more text
 * is needed; `likely` where what is there is no prose any more, so that it is dropped should the reply end here. `leak`:
 * it is one; its body begins at `body`, and `opening` says how the body ends.
 */
export type LeakStart =
  | { kind: 'prose' }
  | { kind: 'unsure'; likely: boolean }
  | { kind: 'leak'; body: number; opening: LeakOpening; fence: string };

/** `brackets`: with the bracket that closes the first one; `line`: with the line; `tag`: with that text; `none`: at once. */
export type LeakOpening = { kind: 'brackets' } | { kind: 'line' } | { kind: 'tag'; close: string } | { kind: 'none' };

const prose: LeakStart = { kind: 'prose' };
const unsure: LeakStart = { kind: 'unsure', likely: false };
const likely: LeakStart = { kind: 'unsure', likely: true };

/** Undecided text is held no longer than this. */
const longestUnsure = 160;

const nameKeys = new Set(['name', 'tool', 'tool_name', 'toolname', 'function', 'function_name', 'recipient_name']);
const argumentKeys = new Set(['arguments', 'parameters', 'args', 'input']);
const tellingKeys = new Set(['tool_calls', 'tool_call', 'function_call', 'response_text']);
const tellingValues: Readonly<Record<string, RegExp>> = {
  type: /^(function|tool_use|tool_call|function_call)$/u,
  id: /^(call_|toolu_)/u,
};
export const signals = ['understood', 'partial', 'max_reached'];
const tags = [
  'tool_call',
  'tool_calls',
  'function_call',
  'function_calls',
  'function',
  'invoke',
  'tool_use',
  'tool_code',
];
const markers = ['[tool_calls]', '[tool_call]', '[tool_request]'];
const callPrefix = /^(?:print\s*\(\s*)?(?:(?:functions|default_api|tools|api)\.)?/u;
const callPrefixes = ['print(functions.', 'print(default_api.', 'functions.', 'default_api.', 'tools.', 'api.'];

/** Reads what begins at `at`, which is the first character of a word, a bracket, a `<` or a backtick. */
export function readLeakStart(text: string, at: number, toolNames: readonly string[]): LeakStart {
  const seen = text.slice(at, at + longestUnsure);
  const start = readFenced(seen, 0, toolNames);
  if (start.kind === 'leak') return { ...start, body: at + start.body };
  return start.kind === 'unsure' && seen.length === longestUnsure ? prose : start;
}

function readFenced(text: string, at: number, toolNames: readonly string[]): LeakStart {
  const fence = /^`{1,3}/u.exec(text.slice(at, at + 3))?.[0] ?? '';
  if (fence === '') return readCore(text, at, toolNames);
  const rest = text.slice(at + fence.length, at + longestUnsure);
  const head = /^[a-z_]{0,12}\s*/u.exec(rest)?.[0] ?? '';
  if (head.length === rest.length) return unsure;
  const language = fence === '```' ? head.trimEnd() : '';
  const from = at + fence.length + (fence === '```' && /\s$/u.test(head) ? head.length : 0);
  if (/^tool_(code|call)/u.test(language)) {
    return { kind: 'leak', body: from, opening: { kind: 'tag', close: fence }, fence: '' };
  }
  const core = readProgram(text, from, toolNames);
  return core.kind === 'leak' ? { ...core, fence } : core;
}

/** A call as a program writes it: `print(default_api.transition_phase(…))`. */
function readProgram(text: string, at: number, toolNames: readonly string[]): LeakStart {
  const seen = text.slice(at, at + 20);
  if (callPrefixes.some((known) => known.startsWith(seen))) return seen.length > 8 ? likely : unsure;
  const prefix = callPrefix.exec(seen)?.[0] ?? '';
  const core = readCore(text, at + prefix.length, toolNames);
  return prefix === '' ? core : withBody(core, at);
}

function readCore(text: string, at: number, toolNames: readonly string[]): LeakStart {
  const character = text[at];
  if (character === undefined) return unsure;
  if (character === '{' || character === '[') {
    const marker = readMarker(text, at);
    return marker.kind === 'prose' ? readJson(text, at, toolNames) : marker;
  }
  return character === '<' ? readTagged(text, at, toolNames) : readCall(text, at, toolNames);
}

/** `transition_phase(…)`, also with its name in another case, escaped, or followed by an object or by `: …`. */
function readCall(text: string, at: number, toolNames: readonly string[]): LeakStart {
  let undecided: LeakStart = prose;
  for (const name of toolNames) {
    const after = readName(text, at, name);
    if (after === 'other') continue;
    if (after === 'cut') {
      undecided = /[_\\]/u.test(text.slice(at)) ? likely : unsure;
      continue;
    }
    const gap = /^[\s`*]*/u.exec(text.slice(after, after + 12))?.[0] ?? '';
    const body = after + gap.length;
    const next = text[body];
    if (next === undefined) return likely;
    if (next === '(' || next === '{') return { kind: 'leak', body, opening: { kind: 'brackets' }, fence: '' };
    if (next === ':' || next === '=') return readArguments(text, body);
    const word = text.slice(body, body + 'signal'.length);
    if (word === 'signal') return { kind: 'leak', body, opening: { kind: 'line' }, fence: '' };
    return 'signal'.startsWith(word) ? likely : prose;
  }
  return undecided;
}

function readArguments(text: string, at: number): LeakStart {
  const body = at + (/^[:=]\s*/u.exec(text.slice(at, at + 8))?.[0].length ?? 1);
  if (body >= text.length) return likely;
  return { kind: 'leak', body, opening: text[body] === '{' ? { kind: 'brackets' } : { kind: 'line' }, fence: '' };
}

/** Where `name` ends if it stands at `at`, in any case and with any of `_`, `-`, `\` between its letters. */
function readName(text: string, at: number, name: string): number | 'cut' | 'other' {
  let index = at;
  for (const letter of name.toLowerCase()) {
    if (/[_-]/u.test(letter)) continue;
    while (index > at && /[_\-\\]/u.test(text[index] ?? '')) index++;
    if (index >= text.length) return 'cut';
    if (text[index]?.toLowerCase() !== letter) return 'other';
    index++;
  }
  if (index >= text.length) return 'cut';
  return /[\p{L}\p{N}_]/u.test(text[index] ?? '') ? 'other' : index;
}

/** An object, or a list of objects, whose first key tells that it is a call. Keys and strings may be quoted anyhow. */
function readJson(text: string, at: number, toolNames: readonly string[], depth = 0): LeakStart {
  const opened = /^(?:\[\s*)?\{\s*/u.exec(text.slice(at, at + longestUnsure))?.[0];
  if (opened === undefined) return /^\[\s*$/u.test(text.slice(at)) ? unsure : prose;
  const leak: LeakStart = { kind: 'leak', body: at, opening: { kind: 'brackets' }, fence: '' };
  const rest = text.slice(at + opened.length, at + longestUnsure);
  const key = /^(["']?)([A-Za-z_][\w.]*)\1\s*:\s*/u.exec(rest);
  if (!key) return /^["']?(?:[A-Za-z_][\w.]*["']?\s*)?$/u.test(rest) ? unsureKey(rest, toolNames) : prose;
  const name = (key[2] ?? '').toLowerCase();
  if (toolNames.length === 0) return prose;
  if (tellingKeys.has(name) || toolNames.includes(name)) return leak;
  const value = rest.slice(key[0].length);
  if (nameKeys.has(name) || argumentKeys.has(name)) {
    if (value.startsWith('{')) {
      if (depth === 2) return prose;
      return withBody(readJson(text, at + opened.length + key[0].length, toolNames, depth + 1), at);
    }
    if (argumentKeys.has(name)) return value === '' ? likely : prose;
  }
  return readValue(name, value, toolNames) ?? leak;
}

/** Whether a key that is not whole yet can be one that tells. */
function unsureKey(rest: string, toolNames: readonly string[]): LeakStart {
  const name = rest.replace(/["'\s]/gu, '').toLowerCase();
  const all = [...nameKeys, ...argumentKeys, ...tellingKeys, ...Object.keys(tellingValues), 'signal', ...toolNames];
  return all.some((known) => known.startsWith(name)) ? unsure : prose;
}

/** What a value tells of a key that alone tells nothing; null where it makes it a leak. */
function readValue(key: string, value: string, toolNames: readonly string[]): LeakStart | null {
  const whole = /^(["'])([^"']*)\1/u.exec(value);
  const word = (whole?.[2] ?? value.replace(/^["']/u, '')).replace(/^functions\./u, '');
  const wanted = nameKeys.has(key) ? toolNames : key === 'signal' ? signals : null;
  if (wanted) {
    if (whole) return wanted.includes(word) ? null : prose;
    return wanted.some((known) => known.startsWith(word)) ? likely : prose;
  }
  const telling = tellingValues[key];
  if (!telling) return prose;
  if (whole) return telling.test(word) ? null : prose;
  return /["']/u.test(value.slice(1)) ? prose : unsure;
}

/** What is read within an object tells of the whole of it. */
function withBody(start: LeakStart, body: number): LeakStart {
  if (start.kind === 'unsure') return likely;
  return start.kind === 'leak' ? { ...start, body } : start;
}

function readMarker(text: string, at: number): LeakStart {
  const seen = text.slice(at, at + 16).toLowerCase();
  for (const marker of markers) {
    if (seen.startsWith(marker)) return readAfterMarker(text, at + marker.length, marker);
    if (seen.length > 1 && marker.startsWith(seen)) return seen.length > 4 ? likely : unsure;
  }
  return prose;
}

/** `<tool_call>`, `<function=…>`, `<transition_phase …>`, `<|tool…|>` and the like. */
function readTagged(text: string, at: number, toolNames: readonly string[]): LeakStart {
  const special = /^<[|｜]([^|｜>\n]{0,60})(?:([|｜]>)|[|｜]?$)/u.exec(text.slice(at, at + 70));
  if (special) {
    if (special[2] === undefined) return unsure;
    if (!/tool|function|python_tag/iu.test(special[1] ?? '')) return prose;
    return readAfterMarker(text, at + special[0].length, special[1] ?? '');
  }
  const name = /^<([A-Za-z_:]*)/u.exec(text.slice(at, at + 60))?.[1]?.toLowerCase() ?? '';
  const end = at + 1 + name.length;
  const known = [...tags, ...toolNames];
  if (end >= text.length)
    return known.some((tag) => tag.startsWith(name)) ? (name.length > 4 ? likely : unsure) : prose;
  if (!known.includes(name) || !/[>\s=]/u.test(text[end] ?? '')) return prose;
  return { kind: 'leak', body: end, opening: { kind: 'tag', close: `</${name}` }, fence: '' };
}

/** Behind a marker comes a call, as JSON or by its name; where neither does, the marker alone is the leak. */
function readAfterMarker(text: string, at: number, marker: string): LeakStart {
  const rest = /end|\//iu.test(marker) ? '\0' : text.slice(at, at + 100);
  const call = /^\s*(?:[\w.:-]{1,40}(?:\[\w+\][\w.:-]*)*\s*)?(?:```\w*\s*)?(?=[({]|\[\s*[[{"])/u.exec(rest);
  if (call) {
    const fence = call[0].includes('```') ? '```' : '';
    return { kind: 'leak', body: at + call[0].length, opening: { kind: 'brackets' }, fence };
  }
  if (/^\s*[\w.:-]{0,40}(?:\[\w*\]?[\w.:-]*)*\s*(?:`{1,3}\w*\s*)?(?:\[\s*)?$|^\s*function<$/u.test(rest)) return likely;
  const sort = /^\s*function(?=<[|｜])/u.exec(rest)?.[0] ?? '';
  return { kind: 'leak', body: at + sort.length, opening: { kind: 'none' }, fence: '' };
}
