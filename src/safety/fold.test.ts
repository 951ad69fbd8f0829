import { describe, expect, it } from 'vitest';
import { foldCodePoint } from './fold.ts';
import { foldEach } from './fold-text.ts';
import { APOSTROPHE, DIGIT_ZERO, OTHER_LETTER, SEPARATOR } from './symbols.ts';

const show = (symbol: number) => {
  if (symbol < 26) return String.fromCharCode(97 + symbol);
  if (symbol >= DIGIT_ZERO && symbol < DIGIT_ZERO + 10) return String(symbol - DIGIT_ZERO);
  if (symbol === OTHER_LETTER) return '?';
  return symbol === APOSTROPHE ? "'" : ' ';
};

function fold(text: string): string {
  let out = '';
  foldEach(text, (symbol) => {
    out += show(symbol);
  });
  return out;
}

describe('folding', () => {
  it.each([
    ['case and diacritics', 'ŽĄSĖ Ūkį', 'zase uki'],
    ['mathematical alphabets', '𝕜𝖎𝓵𝐥 𝟙', 'kill 1'],
    ['full width', 'ｋｉｌｌ１', 'kill1'],
    ['what is enclosed', 'ⓚⓘ⒧🅻🇱', 'killl'],
    ['ligatures', 'ﬁŒßæ', 'fioessae'],
    ['combining marks', 'k̶i̶l̶l̶', 'kill'],
    ['what nobody sees', 'k\u200bi\u2060l\ufeff\u00adl\u202e', 'kill'],
    ['Cyrillic and Greek lookalikes', 'кіⅼⅼ αβ', 'kill ab'],
    ['digits of other scripts', '٣५', '35'],
    ['markup', '**k**_i_`l`~l~', 'kill'],
    ['tags', 'k<b>i</b>ll<br>you<!-- x -->r', 'kill your'],
    ['references', '&#107;&#x69;ll&nbsp;&lt;&amp;', 'kill   '],
    ['typographic apostrophes', 'don’t', "don't"],
    ['letters of no pattern', 'ж中ब', '???'],
  ])('takes %s for what a reader takes them for', (_, text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('takes nothing for a reference or tag that is none', () => {
    expect(fold('a & b &x; &#; &#x; &#99999999999; &#xd800;')).not.toContain('?');
    expect(fold('a < b <x> </ <b')).toBe('a   b  x      b');
  });

  it('gives every code point a symbol or none', () => {
    for (let point = 0; point <= 0x10ffff; point += 7) {
      for (const symbol of foldCodePoint(point)) expect(symbol).toBeLessThan(45);
    }
    expect(foldCodePoint(0xd83d)).toEqual([SEPARATOR]);
    expect(foldCodePoint(0xe0041)).toEqual([]);
  });
});
