import { z } from 'zod';

/*
 * The values a cartridge is made of. Each description finishes the sentence "Write …": it is what an author is told
 * where something else stands in its place.
 */

/** A text that may be empty. */
export const anyText = z.string().describe('a text in double quotes');

/** A text that says something. */
export const text = z.string().regex(/\S/u).describe('a text in double quotes, not an empty one');

/** An id of something inside a cartridge. They are only compared with each other, so any text serves. */
export const localId = text.describe('an id in double quotes');

export const flag = z.boolean().describe('true or false, without quotes');

export const seconds = z.number().nonnegative().describe('a number of seconds, without quotes');

/** From 1 to 5. */
export const level = z.int().min(1).max(5).describe('a whole number from 1 to 5, without quotes');

/** A list of texts; where it is absent it is empty. */
export const texts = z.array(text).default([]).describe('a list of texts: ["…", "…"]');

/** One of a closed set of words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).describe(`one of ${words.map((word) => JSON.stringify(word)).join(', ')}`);
}

/** An object with these keys; others pass through. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).describe(`an object { … } with ${Object.keys(shape).slice(0, 4).join(', ')}`);
}
