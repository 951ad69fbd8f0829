import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPersonalCode } from './phone-number.ts';
import { createReplyFilter } from './reply-filter.ts';
import { sampleSafety } from './sample.fixture.ts';

function filter(chunks: readonly string[], boundaries: readonly string[] = ['personal_data']) {
  const policy = { boundaries, mode: 'dialogue', language: 'lt', intensity: null, toolNames: [] } as const;
  const reply = createReplyFilter(sampleSafety, policy);
  const released = chunks.map((chunk) => reply.push(chunk)).join('') + reply.end();
  return { released, found: reply.violation?.entryId ?? null };
}

const numbers = [
  ['phone_number', '+370 612 34567'],
  ['phone_number', '+37061234567'],
  ['phone_number', '861234567'],
  ['phone_number', '8 612 34 567'],
  ['phone_number', '8-612-34567'],
  ['phone_number', '8 (612) 34567'],
  ['phone_number', '0 612 34567'],
  ['phone_number', '370 5 212 3456'],
  ['phone_number', '+44 7700 900123'],
  ['phone_number', '00370 612 34567'],
  ['phone_number', '07700 900123'],
  ['phone_number', '555-123-4567'],
  ['phone_number', '＋370 ６１２ ３４５６７'],
  ['phone_number', '8 6\u200b12 34567'],
  ['personal_code', '38703181745'],
  ['personal_code', '3 870318 1745'],
] as const;

describe('personal data', () => {
  it.each(numbers)('lets no digit out of a %s: %s', (kind, text) => {
    const before = 'Paskambink: ';
    for (const after of ['', '.', ' rytoj', ', gerai?']) {
      for (let cut = 0; cut <= text.length; cut++) {
        expect(filter([before, text.slice(0, cut), text.slice(cut) + after])).toEqual({
          released: before,
          found: kind,
        });
      }
    }
  });

  it.each(['jonas.petraitis@gmail.com', 'jonas@mokykla.lt', 'j_p+1@a-b.co.uk', 'x@y.lt.'])(
    'lets nothing out that makes an address of a name: %s',
    (text) => {
      for (let cut = 0; cut <= text.length; cut++) {
        const { released, found } = filter([text.slice(0, cut), text.slice(cut)]);
        expect(found).toBe('email_address');
        expect(text.slice(0, text.indexOf('@')).startsWith(released)).toBe(true);
        expect(released).toMatch(/^\p{L}*$/u);
      }
    },
  );

  it.each([
    'Tai nutiko 1939 m. rugsėjo 1 d., o ne 2024-05-13.',
    'Pamoka 05-13-2024 9 val. 30 min., 13.05.2024, 14:30–15:15.',
    'Kaina 861 234 567 eurai, 1 000 000 žmonių, 3.14, 2+2=4, -5.5.',
    'ISBN 978-609-01-1234-5, 12345678901, 38703181746, 100%.',
    '@jonas rašė a@b ir a.b.c, failas vardas_2.txt, www.lrt.lt.',
    'Skambink 112 arba 116 111.',
  ])('lets ordinary numbers and signs through: %s', (text) => {
    expect(filter([...text])).toEqual({ released: text, found: null });
  });

  it('lets through the numbers and addresses of the help lines', () => {
    const text = 'Paskambink 8 800 28888 arba rašyk pagalba@example.lt.';
    expect(filter([text])).toEqual({ released: text, found: null });
  });

  it('is looked for only where a cartridge forbids it', () => {
    expect(filter(['Call +370 612 34567'], []).found).toBeNull();
  });

  it('comes out the same however the text is cut', () => {
    const piece = fc.constantFrom(
      '8',
      '6',
      '12',
      ' ',
      '-',
      '.',
      '+',
      '@',
      'a',
      'lt',
      '3',
      '870318',
      '1745',
      '370',
      '(',
      '_',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const text = pieces.join('');
        expect(filter([...text])).toEqual(filter([text]));
        if (filter([text]).found === null) expect(filter([text]).released).toBe(text);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a personal code', () => {
  it('is told from other eleven digits by its date and its last digit', () => {
    expect(isPersonalCode('38703181745')).toBe(true);
    expect(isPersonalCode('38703181746')).toBe(false);
    expect(isPersonalCode('38713181745')).toBe(false);
    expect(isPersonalCode('78703181745')).toBe(false);
    expect(isPersonalCode('3870318174')).toBe(false);
  });

  it('takes the second weights where the first leave ten', () => {
    // The first weighted sum of 6010203003 is 43, which leaves 10; the second, 73, leaves 7.
    expect(isPersonalCode('60102030037')).toBe(true);
    expect(isPersonalCode('60102030030')).toBe(false);
  });
});
