import type { CompiledSafety } from './compile.ts';
import { createReplyFilter, type ReplyPolicy, type Violation } from './reply-filter.ts';

/** The first boundary that whole texts cross, each judged by itself as a reply would be; null where none does. */
export function judgeTexts(compiled: CompiledSafety, policy: ReplyPolicy, texts: Iterable<string>): Violation | null {
  for (const text of texts) {
    const filter = createReplyFilter(compiled, policy);
    filter.push(text);
    filter.end();
    if (filter.violation !== null) return filter.violation;
  }
  return null;
}

/** Every text in a value, its keys too, however deep. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) {
      yield key;
      yield* textsIn(each);
    }
}
