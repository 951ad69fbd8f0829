import { fitTokens } from '../memory/fit-text.ts';
import { quoteAsData } from './layer.ts';

/**
 * What people wrote, quoted as data in at most `tokens`, the bars before its lines reckoned with: text of many short
 * lines costs up to twice what it did without them. Empty where nothing of it fits.
 */
export function quoteWithin(text: string, tokens: number, tokensOf: (text: string) => number): string {
  const fitted = fitTokens(text, tokens, (part) => tokensOf(quoteAsData(part)));
  return fitted === '' ? '' : quoteAsData(fitted);
}

/** A text on one line of at most `characters`, ending in "…" where something is left out. */
export function oneLine(text: string, characters = Number.POSITIVE_INFINITY): string {
  return fitTokens(text.replace(/\s+/gu, ' '), characters, (part) => part.length);
}
