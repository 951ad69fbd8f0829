import type { Random } from './random.ts';

const joinAlphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** An opaque id: 120 random bits as 20 URL-safe characters, with no `:` in it (event ids are `<turn_id>:<seq>`). */
export function newId(random: Random): string {
  return Buffer.from(random.bytes(15)).toString('base64url');
}

/** The random word that marks a session's prompt layers, so that nothing anyone writes can pose as one. */
export function newMark(random: Random): string {
  return `k-${Buffer.from(random.bytes(4)).toString('hex')}`;
}

/** A class's join code: six characters, none of which is mistaken for another when read from a blackboard. */
export function newJoinCode(random: Random): string {
  return Array.from(random.bytes(6), (byte) => joinAlphabet.charAt(byte % joinAlphabet.length)).join('');
}

/** A join code as typed by a student, in the one form that is stored: upper case, no spaces or hyphens. */
export function normaliseJoinCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\-–—_.]/gu, '');
}
