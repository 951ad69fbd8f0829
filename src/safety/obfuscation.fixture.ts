/** Ways to write a phrase so that people read it and a plain search does not. Each takes a phrase of words and spaces. */
export const obfuscations: Readonly<Record<string, (phrase: string, pick: (below: number) => number) => string>> = {
  plain: (phrase) => phrase,
  upper_case: (phrase) => phrase.toUpperCase(),
  no_diacritics: (phrase) => phrase.normalize('NFD').replace(/\p{M}/gu, ''),
  decomposed: (phrase) => phrase.normalize('NFD'),
  full_width: eachBase((code) => code + 0xfee0),
  mathematical: eachBase((code) => code - 97 + 0x1d41a),
  circled: eachBase((code) => code - 97 + 0x24d0),
  regional_indicators: (phrase) =>
    eachBase((code) => code - 97 + 0x1f1e6)(phrase).replace(/./gu, (letter) => `${letter}\u200b`),
  zero_width: between(['\u200b', '\u200d', '\u2060', '\ufeff']),
  soft_hyphen: between(['\u00ad']),
  bidi: between(['\u202e', '\u2066', '\u200f']),
  combining_marks: between(['\u0336', '\u0301', '\u0489\u0323']),
  confusables: (phrase) =>
    replaceLetters(phrase, { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', x: 'х', y: 'у', s: 'ѕ' }),
  greek: (phrase) => replaceLetters(phrase, { a: 'α', i: 'ι', k: 'κ', n: 'η', o: 'ο', u: 'υ', v: 'ν', t: 'τ' }),
  small_capitals: (phrase) =>
    replaceLetters(phrase, { a: 'ᴀ', d: 'ᴅ', e: 'ᴇ', i: 'ɪ', k: 'ᴋ', l: 'ʟ', r: 'ʀ', u: 'ᴜ', y: 'ʏ' }),
  leetspeak: (phrase) => afterFirst(phrase, { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }),
  signs: (phrase) => afterFirst(phrase, { a: '@', i: '!', s: '$', l: '|' }),
  repeated: (phrase, pick) => phrase.replace(/\p{L}/gu, (letter) => letter.repeat(1 + pick(4))),
  doubled: (phrase) => phrase.replace(/\p{L}/gu, '$&$&'),
  spaced: apart(' ', '  '),
  evenly_spaced: apart(' ', ' '),
  hyphenated: apart('-', ' '),
  dotted: apart('.', ' '),
  underscored: apart('_', ' '),
  slashed: apart('/', ' '),
  markdown: (phrase) => phrase.replace(/\p{L}\p{M}*/u, '**$&**').replaceAll(' ', '* _'),
  html: (phrase) => phrase.replace(/(\p{L}\p{M}*)(\p{L})/gu, '$1<b>$2</b>'),
  html_comment: (phrase) => phrase.replace(/(\p{L})(\p{L})/u, '$1<!-- x -->$2'),
  references: (phrase) => phrase.replace(/\p{L}/gu, (letter) => `&#${letter.codePointAt(0) ?? 0};`),
  hex_references: (phrase) => phrase.replace(/\p{L}/gu, (letter) => `&#x${(letter.codePointAt(0) ?? 0).toString(16)};`),
  run_together: (phrase) => (phrase.replace(/[^\p{L}]/gu, '').length >= 8 ? phrase.replaceAll(' ', '') : phrase),
  one_word_spaced: (phrase) => phrase.replace(/\p{L}{3,}/u, (word) => [...word].join(' ')),
  line_breaks: (phrase) => phrase.replaceAll(' ', '\n'),
  wide_gaps: (phrase) => phrase.replaceAll(' ', ' \t  '),
  punctuated: (phrase) => phrase.replaceAll(' ', '... '),
  quoted: (phrase) => phrase.replace(/\S+/gu, '"$&"'),
};

/** Replaces each letter from a to z by another character; what has no such base letter stays. */
function eachBase(map: (code: number) => number): (phrase: string) => string {
  return (phrase) =>
    Array.from(phrase.normalize('NFD').toLowerCase(), (letter) =>
      /[a-z]/u.test(letter) ? String.fromCodePoint(map(letter.charCodeAt(0))) : letter,
    ).join('');
}

function between(fillers: readonly string[]): (phrase: string, pick: (below: number) => number) => string {
  return (phrase, pick) => phrase.replace(/\p{L}/gu, (letter) => letter + (fillers[pick(fillers.length)] ?? ''));
}

function apart(gap: string, wordGap: string): (phrase: string) => string {
  return (phrase) =>
    phrase
      .split(' ')
      .map((word) => [...word.normalize('NFC')].join(gap))
      .join(wordGap);
}

function replaceLetters(phrase: string, letters: Readonly<Record<string, string>>): string {
  return Array.from(phrase, (letter) => letters[letter] ?? letter).join('');
}

/** The same, each word's first letter left alone: a word needs a real letter. */
function afterFirst(phrase: string, letters: Readonly<Record<string, string>>): string {
  return phrase
    .split(' ')
    .map((word) => word.slice(0, 1) + replaceLetters(word.slice(1), letters))
    .join(' ');
}
