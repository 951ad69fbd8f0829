const digits = 'bcdfghjklm';

/** The time now as a word of consonants and a space: text that no filter has a reason to hold. */
export function stamp(): string {
  return `${Math.round(now() * 100)
    .toString()
    .replace(/\d/gu, (digit) => digits.charAt(Number(digit)))} `;
}

/** How long ago, in milliseconds, each stamp in `text` was made. */
export function agesOf(text: string): number[] {
  const at = now();
  return [...text.matchAll(/"text":"([b-m]{15,}) "/gu)].map(([, word = '']) => {
    const sent = Number(word.replace(/[b-m]/gu, (letter) => String(digits.indexOf(letter)))) / 100;
    return at - sent;
  });
}

/** Milliseconds since the epoch, with a fraction; comparable between processes of one machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
