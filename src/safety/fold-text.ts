import { foldCodePoint } from './fold.ts';
import { readReference, readTag } from './markup.ts';
import { SEPARATOR } from './symbols.ts';

/** Tells of every symbol of a whole text and where it stands; markup and invisible characters have none. */
export function foldEach(text: string, tell: (symbol: number, offset: number) => void): void {
  const tellPoint = (point: number, offset: number) => {
    for (const symbol of foldCodePoint(point)) tell(symbol, offset);
  };
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    const markup = character === '&' ? readReference(text, index) : character === '<' ? readTag(text, index) : null;
    if (markup?.kind === 'character') {
      tellPoint(markup.point, index);
      index += markup.length;
    } else if (markup?.kind === 'tag') {
      if (markup.parts) tell(SEPARATOR, index);
      index += markup.length;
    } else {
      const point = text.codePointAt(index) ?? 0;
      tellPoint(point, index);
      index += point >= 0x10000 ? 2 : 1;
    }
  }
}
