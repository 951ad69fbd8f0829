import { foldCodePoint } from './fold.ts';
import { readReference, readTag } from './markup.ts';
import { SEPARATOR } from './symbols.ts';

/** A whole text as symbols, markup and invisible characters gone, exactly as the hold-back filter folds it. */
export function foldText(text: string): number[] {
  const symbols: number[] = [];
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    const markup = character === '&' ? readReference(text, index) : character === '<' ? readTag(text, index) : null;
    if (markup?.kind === 'character') {
      symbols.push(...foldCodePoint(markup.point));
      index += markup.length;
    } else if (markup?.kind === 'tag') {
      if (markup.parts) symbols.push(SEPARATOR);
      index += markup.length;
    } else {
      const point = text.codePointAt(index) ?? 0;
      symbols.push(...foldCodePoint(point));
      index += point >= 0x10000 ? 2 : 1;
    }
  }
  return symbols;
}
