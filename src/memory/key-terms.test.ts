import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyTermLimit, keyTerms } from './key-terms.ts';
import { eachWord, lettersOf } from './term-words.ts';

describe('key terms', () => {
  it('are those of the seed\'s first example, but for "id", which has two letters', () => {
    expect(keyTerms('what exact session id it has in logs tell me')).toEqual(['exact', 'session', 'logs', 'tell']);
  });

  it('are those of the seed\'s second example, but for "ai"', () => {
    const message = 'which AI model generating response with high confidence? in above terminal logs?';
    const expected = ['model', 'generating', 'response', 'high', 'confidence', 'terminal', 'logs'];
    expect(keyTerms(message)).toEqual(expected);
  });

  it('keep the order in which they come first, each once', () => {
    expect(keyTerms('Token expired: the TOKEN, the session, the token.')).toEqual(['token', 'expired', 'session']);
  });

  it.each(['', '   ', '?!…', 'it is to me', 'ok', '👩‍👩‍👧 🎉🎉🎉', '-- // ::'])('are none in %j', (text) => {
    expect(keyTerms(text)).toEqual([]);
  });

  it('take names of code apart at their punctuation and keep codes of three digits', () => {
    expect(keyTerms('INFO:app.services.redis_service HTTP/1.1 404')).toEqual([
      'info',
      'app',
      'services',
      'redis',
      'service',
      'http',
      '404',
    ]);
  });

  it("do without what an apostrophe adds: can't, they're, server's, O'Brien", () => {
    expect(keyTerms("I can't, they're what’s, I've won't: the server's, O'Brien")).toEqual(['server', 'obrien']);
  });

  it('leave out the stop words of Lithuanian texts, the English ones among them', () => {
    expect(keyTerms('Kodėl mano sesija nutrūksta, kai the server grąžina klaidą?', 'lt')).toEqual([
      'sesija',
      'nutrūksta',
      'server',
      'grąžina',
      'klaidą',
    ]);
    expect(keyTerms('kodel cia neveikia prisijungimas prie Facebook’o', 'lt')).toEqual([
      'neveikia',
      'prisijungimas',
      'facebook',
    ]);
  });

  it('keep in English what is a stop word in Lithuanian alone', () => {
    expect(keyTerms('man bet')).toEqual(['man', 'bet']);
    expect(keyTerms('man bet', 'lt')).toEqual([]);
    expect(keyTerms('the session', 'fr')).toEqual(['session']);
  });

  it('are the same however a letter is composed and whatever hides in it', () => {
    expect(keyTerms('Kl\u0061ida\u0328', 'lt')).toEqual(['klaidą']);
    expect(keyTerms('ses\u00adsi\u200bon')).toEqual(['session']);
    expect(keyTerms('ｓｅｓｓｉｏｎ')).toEqual(['session']);
  });

  it('are found in scripts written from right to left, and count letters of any plane as one', () => {
    expect(keyTerms('خطأ في الخادم')).toEqual(['خطأ', 'الخادم']);
    expect(keyTerms('שגיאת שרת')).toEqual(['שגיאת', 'שרת']);
    expect(keyTerms('𝒳𐍈')).toEqual([]);
    expect(keyTerms('𐍈𐍈 𐍈𐍈𐍈')).toEqual(['𐍈𐍈𐍈']);
  });

  it('are at most 64, of at most 64 characters, out of a text of any size', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `term${index}`).join(' ');
    expect(keyTerms(many)).toHaveLength(keyTermLimit);
    expect(keyTerms('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
    expect(keyTerms('𐍈'.repeat(50_000))[0]?.isWellFormed()).toBe(true);
    expect(keyTerms("a'".repeat(50_000)).length).toBeLessThanOrEqual(1);
  });

  it('are plain words even where they are names that objects have', () => {
    expect(keyTerms('__proto__ constructor hasOwnProperty')).toEqual(['proto', 'constructor', 'hasownproperty']);
  });

  it('are well formed, in lower case, unique and long enough, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('en', 'lt'), (text, language) => {
        const terms = keyTerms(text, language);
        expect(new Set(terms).size).toBe(terms.length);
        for (const term of terms) {
          expect(term.isWellFormed()).toBe(true);
          expect(lettersOf(term)).toBeGreaterThanOrEqual(3);
          expect(term).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
        }
      }),
    );
  });
});

describe('words', () => {
  const wordsOf = (text: string) => {
    const words: string[] = [];
    eachWord(text, (word) => words.push(word) > 0);
    return words;
  };

  it('are the same by the quick scan as by the expression, which any rare character calls for', () => {
    const characters = fc.constantFrom(..."abcąčęžŽŠ19 '’,.„“–_-…\n");
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 60 }), (text) => {
        expect(wordsOf(`${text} яяя`)).toEqual([...wordsOf(text), 'яяя']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('end where the listener has heard enough', () => {
    for (const text of ['one two six', 'one two six яяя']) {
      const heard: string[] = [];
      eachWord(text, (word) => heard.push(word) < 2);
      expect(heard).toEqual(['one', 'two']);
    }
  });
});
