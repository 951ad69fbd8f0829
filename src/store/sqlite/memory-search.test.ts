import { describe, expect, it } from 'vitest';
import { searchWindow } from '../../engine/ports/memory-search.ts';
import { aDocument, indexIntegrity, openSearch } from './search.fixture.ts';

const ona = { schoolId: 'school', userId: 'ona' };
const jonas = { schoolId: 'school', userId: 'jonas' };
const onaElsewhere = { schoolId: 'elsewhere', userId: 'ona' };

describe('what a search finds', () => {
  const texts: [string, string, string][] = [
    ['lt', 'Mokytojos patarimas apie trupmenas', 'mokytojai'],
    ['lt', 'Mokytojos patarimas apie trupmenas', 'trupmenų'],
    ['lt', 'Skaitė daug knygų apie žąsis', 'knyga'],
    ['lt', 'Skaitė daug knygų apie žąsis', 'KNYGOMIS'],
    ['lt', 'Skaitė daug knygų apie žąsis', 'zasis'],
    ['lt', 'Skaitė daug knygų apie žąsis', 'žąsų'],
    ['lt', 'Lankė naują mokyklą Šiauliuose', 'mokykla'],
    ['lt', 'Lankė naują mokyklą Šiauliuose', 'mokyklą'],
    ['lt', 'Lankė naują mokyklą Šiauliuose', 'mokykloje siauliai'],
    ['lt', 'Medžių lapai ruduo', 'medziu'],
    ['lt', 'Lanke nauja mokykla be lietuvisku raidziu', 'lietuviškų raidžių'],
    ['lt', 'Skaitymas sekasi sunkiai', 'skaitymo'],
    ['en', 'She reads every evening', 'reading'],
    ['en', 'Emma’s running club', 'emma run'],
    ['en', "Emma's running club", 'Emma’s'],
    ['', 'Mokytoja said the students were reading', 'mokytojos student read'],
    ['', 'Puiku 🎉 baigta', '🎉'],
    ['', 'Šeima 👨‍👩‍👧 namuose', '👨‍👩‍👧'],
    ['', 'Klasė 7b, 2026 m.', '7B 2026'],
    ['', 'Łukasz przyjdzie', 'lukasz'],
    ['', 'mo\u00ADkyk\u00ADla', 'mokykla'],
  ];
  it.each(texts)('in a text of language "%s": %s – %s', async (language, text, asked) => {
    const { put, find } = openSearch();
    const wanted = aDocument(ona, text, { language });
    put(aDocument(ona, 'Visai apie kitką, nothing here'), wanted);
    expect(await find(ona, asked)).toEqual([wanted.id]);
  });

  it('summaries, facts and turns alike, each with what it is', async () => {
    const { put, ask } = openSearch();
    for (const kind of ['summary', 'fact', 'turn'] as const) {
      put(aDocument(ona, 'Volcano project', { id: kind, kind, learnerId: 'emma', at: 7 }));
    }
    const answer = await ask(ona, 'volcanoes');
    expect(answer).toMatchObject({ kind: 'found', total: 3, match: 'all', corrected: [] });
    expect(
      answer.kind === 'found' && answer.hits.map(({ id, kind, learnerId, at }) => [id, kind, learnerId, at]),
    ).toEqual(['turn', 'fact', 'summary'].map((kind) => [kind, kind, 'emma', 7]));
  });

  it('a quoted phrase only where its words stand in that order', async () => {
    const { put, find } = openSearch();
    put(
      aDocument(ona, 'The long division of work', { id: 'together' }),
      aDocument(ona, 'Division took long', { id: 'apart' }),
    );
    expect(await find(ona, '"long division"')).toEqual(['together']);
    expect(await find(ona, '„Long Division“ work')).toEqual(['together']);
    expect(new Set(await find(ona, 'long division'))).toEqual(new Set(['together', 'apart']));
    expect(await find(ona, '"division long"')).toEqual([]);
    expect(await find(ona, '"the long division of"')).toEqual(['together']);
  });

  it('nothing that has a word or a phrase with a minus, in whatever form the word is', async () => {
    const { put, find } = openSearch();
    put(
      aDocument(ona, 'Matematikos egzaminas pavyko', { id: 'exam', language: 'lt' }),
      aDocument(ona, 'Matematikos namų darbai', { id: 'home', language: 'lt' }),
    );
    expect(await find(ona, 'matematika -egzamino')).toEqual(['home']);
    expect(await find(ona, 'matematika -"namų darbai"')).toEqual(['exam']);
    expect(await find(ona, 'matematika -namai -egzaminas')).toEqual([]);
    expect(await find(ona, '-matematika')).toEqual([]);
  });

  it('a very word where nothing but stop words is asked for', async () => {
    const { put, find } = openSearch();
    put(aDocument(ona, 'To be or not to be', { id: 'hamlet' }), aDocument(ona, 'Something else', { id: 'else' }));
    expect(await find(ona, 'to be')).toEqual(['hamlet']);
    expect(await find(ona, 'to be something')).toEqual(['else']);
  });

  it('the archive only where it is asked for', async () => {
    const { put, find, indexer, db } = openSearch();
    put(
      aDocument(ona, 'Volcano one', { id: 'old', isArchived: true }),
      aDocument(ona, 'Volcano two', { id: 'later' }),
      aDocument(ona, 'Volcano three', { id: 'new' }),
    );
    expect(await find(ona, 'volcano', { includeArchive: false })).toEqual(['new', 'later']);
    expect(indexer.archive(ona, ['later', 'old', 'never', 'later'])).toBe(1);
    expect(await find(ona, 'volcano', { includeArchive: false })).toEqual(['new']);
    expect(await find(ona, 'volcano')).toEqual(['new', 'later', 'old']);
    indexIntegrity(db);
  });

  it('what is of a cartridge, of a learner, or of none', async () => {
    const { put, find } = openSearch();
    put(
      aDocument(ona, 'Volcano', { id: 'emma', learnerId: 'emma' }),
      aDocument(ona, 'Volcano', { id: 'liam', learnerId: 'liam', cartridgeId: 'maestro' }),
      aDocument(ona, 'Volcano', { id: 'own' }),
    );
    expect(await find(ona, 'volcano', { learnerId: 'emma' })).toEqual(['emma']);
    expect(await find(ona, 'volcano', { learnerId: null })).toEqual(['own']);
    expect(await find(ona, 'volcano', { cartridgeId: 'maestro' })).toEqual(['liam']);
    expect(await find(ona, 'volcano', { cartridgeId: 'maestro', learnerId: 'emma' })).toEqual([]);
    expect(await find(ona, 'volcano', { cartridgeId: 'none' })).toEqual([]);
    expect(await find(ona, 'volcano')).toEqual(['own', 'liam', 'emma']);
  });

  it('a document as it was put in last', async () => {
    const { put, find, db } = openSearch();
    put(aDocument(ona, 'Volcano', { id: 'one' }), aDocument(ona, 'Volcano', { id: 'two' }));
    put(aDocument(ona, 'Fractions', { id: 'one' }));
    expect(await find(ona, 'volcano')).toEqual(['two']);
    expect(await find(ona, 'fraction')).toEqual(['one']);
    indexIntegrity(db);
  });

  it('in pages that fit together', async () => {
    const { put, find, ask } = openSearch();
    put(...Array.from({ length: 25 }, (_, index) => aDocument(ona, 'Volcano', { id: `${index}` })));
    const pages = [];
    for (const offset of [0, 10, 20, 30]) pages.push(await find(ona, 'volcano', { limit: 10, offset }));
    expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, index) => `${24 - index}`));
    expect(await ask(ona, 'volcano', { limit: 1 })).toMatchObject({ total: 25 });
  });
});

describe('the order of what is found', () => {
  it('is how well it matches, and then the latest first', async () => {
    const { put, find } = openSearch();
    const filler = 'and then we spoke of holidays by the sea, of rain, of football and of what was for lunch';
    put(
      aDocument(ona, 'Volcano: the volcano project and its volcano model', { id: 'much' }),
      aDocument(ona, `A volcano ${filler}`, { id: 'little' }),
      aDocument(ona, `A volcano ${filler}`, { id: 'little, later' }),
      ...Array.from({ length: 20 }, () => aDocument(ona, filler)),
    );
    expect(await find(ona, 'volcano')).toEqual(['much', 'little, later', 'little']);
  });

  it('puts more of the words before fewer of them, where few documents have all', async () => {
    const { put, ask } = openSearch();
    put(
      aDocument(ona, `Emma built a volcano in science. ${'It was a day like many others. '.repeat(20)}`, { id: 'all' }),
      aDocument(ona, 'Science, science, science', { id: 'some' }),
      aDocument(ona, 'Holidays by the sea', { id: 'none' }),
      ...Array.from({ length: 20 }, () => aDocument(ona, 'Filler of another day')),
    );
    const answer = await ask(ona, 'What did Emma build in science?');
    expect(answer).toMatchObject({ match: 'any', total: 2, hits: [{ id: 'all' }, { id: 'some' }] });
  });
});

describe('a slip of the pen', () => {
  const slips: [string, string, string][] = [
    ['Matematikos pamoka', 'matemtika', 'matematikos'],
    ['Matematikos pamoka', 'pamkoa', 'pamoka'],
    ['Trupmenos ir dalyba', 'trumpenos', 'trupmenos'],
    ['Skaitė apie žuvėdras ir knygas', 'zuvedrq', 'zuvedras'],
    ['A volcano model', 'volcanno', 'volcano'],
    ['Photosynthesis in leaves', 'photosintesis', 'photosynthesis'],
    ['A volcano model', 'bolcano', 'volcano'],
    ['A volcano model', 'olcano', 'volcano'],
    ['A volcano model', 'ovlcano', 'volcano'],
    ['A volcano model', 'evolcano', 'volcano'],
    ['Žuvėdra virš jūros', 'zuvedta', 'zuvedra'],
  ];
  it.each(slips)('is put right: %s – %s', async (text, asked, right) => {
    const { put, ask } = openSearch();
    const wanted = aDocument(ona, text);
    put(aDocument(ona, 'Something else'), wanted);
    expect(await ask(ona, asked)).toMatchObject({
      corrected: [{ from: asked, to: right }],
      hits: [{ id: wanted.id }],
      total: 1,
    });
  });

  it('is put right among words that are, and in a phrase', async () => {
    const { put, ask } = openSearch();
    put(aDocument(ona, 'Emma finished the volcano model', { id: 'wanted' }));
    expect(await ask(ona, 'emma volcanp')).toMatchObject({ hits: [{ id: 'wanted' }] });
    expect(await ask(ona, '"volcanp model"')).toMatchObject({
      corrected: [{ from: 'volcanp', to: 'volcano' }],
      hits: [{ id: 'wanted' }],
    });
  });

  it('is the commonest of words that are equally near', async () => {
    const { put, ask } = openSearch();
    put(...['land', 'lane', 'lane'].map((word) => aDocument(ona, word)));
    expect(await ask(ona, 'lanx')).toMatchObject({ corrected: [{ from: 'lanx', to: 'lane' }], total: 2 });
  });

  it('is not put right into a word that only someone else has written', async () => {
    const { put, ask } = openSearch();
    put(aDocument(jonas, 'Volcano'), aDocument(onaElsewhere, 'Volcano'), aDocument(ona, 'Fractions'));
    expect(await ask(ona, 'volcanp')).toMatchObject({ corrected: [], total: 0, hits: [] });
    expect(await ask(jonas, 'fractionz')).toMatchObject({ corrected: [], total: 0 });
  });

  it('is put right only into a word of what is searched', async () => {
    const { put, ask } = openSearch();
    put(
      aDocument(ona, 'Volcano', { learnerId: 'emma', cartridgeId: 'maestro', isArchived: true }),
      aDocument(ona, 'Volcane', { learnerId: 'liam' }),
      aDocument(ona, 'Volcane', { learnerId: 'liam' }),
    );
    const scopes = [{ learnerId: 'emma' }, { cartridgeId: 'maestro' }, { learnerId: 'emma', cartridgeId: 'maestro' }];
    for (const scope of scopes) {
      expect(await ask(ona, 'volcanp', scope)).toMatchObject({ corrected: [{ to: 'volcano' }], total: 1 });
    }
    expect(await ask(ona, 'volcanp', { learnerId: 'emma', includeArchive: false })).toMatchObject({ corrected: [] });
    expect(await ask(ona, 'volcanp', { learnerId: null })).toMatchObject({ corrected: [] });
    expect(await ask(ona, 'volcanp')).toMatchObject({ corrected: [{ to: 'volcane' }] });
  });

  it('is not put right after the word was taken out, nor where words are short or far', async () => {
    const { put, ask, indexer } = openSearch();
    put(aDocument(ona, 'Volcano', { id: 'gone' }), aDocument(ona, 'cat sand photosynthesis'));
    indexer.remove(ona, ['gone']);
    for (const asked of ['volcanp', 'cap', 'saxy', 'photosyntheis23']) {
      expect(await ask(ona, asked), asked).toMatchObject({ corrected: [], total: 0 });
    }
  });
});

describe('a search of someone busy', () => {
  it('ranks what was put in last, and says how many that is', async () => {
    const { put, ask, find } = openSearch();
    put(aDocument(ona, 'volcano volcano volcano', { id: 'first' }));
    put(...Array.from({ length: searchWindow }, (_, index) => aDocument(ona, `volcano of day ${index}`)));
    expect(await ask(ona, 'volcano')).toMatchObject({ total: searchWindow });
    expect(await find(ona, 'volcano', { limit: searchWindow })).not.toContain('first');
    expect(await find(ona, '"volcano volcano"')).toEqual(['first']);
    put(aDocument(ona, 'A sea', { id: 'sea' }), aDocument(ona, 'A volcano by another sea', { id: 'both' }));
    put(...Array.from({ length: searchWindow }, (_, index) => aDocument(ona, `volcano of week ${index}`)));
    expect(await ask(ona, 'volcano sea', { limit: 1 })).toMatchObject({ total: searchWindow, hits: [{ id: 'both' }] });
  });
});

describe('whatever is typed', () => {
  const hostile = [
    'AND',
    'a AND NOT',
    'foo"bar',
    'col:x',
    'scope:x',
    'scope : current',
    '*',
    'vol*',
    'NEAR(a b, 2)',
    '^volcano',
    '{words stems} : volcano',
    '"',
    '""',
    '"" ""',
    "' OR 1=1 --",
    '-',
    '--',
    '- -',
    '-"',
    '("',
    '\0',
    '\u{D800}volcano',
    'volcano\\',
    '{"query":1}',
    '\u202Evolcano',
    '+volcano',
    'volcano '.repeat(1_250),
    `"${'volcano '.repeat(1_250)}"`,
    '"'.repeat(10_000),
    '-'.repeat(10_000),
    'x'.repeat(10_000),
    Array.from({ length: 2_000 }, (_, index) => `w${index}`).join(' '),
    '🎉'.repeat(2_500),
  ];
  it.each(hostile.map((asked) => [asked.slice(0, 30), asked]))('is not obeyed: %j', async (_, asked) => {
    const { put, find, ask } = openSearch();
    put(aDocument(jonas, 'Volcano x a b foo bar current'), aDocument(ona, 'Quiet waters', { id: 'quiet' }));
    const answer = await ask(ona, asked);
    expect(answer.kind === 'found' ? answer.hits : []).toEqual([]);
    expect(await find(ona, 'quiet water')).toEqual(['quiet']);
  });

  it('is found where it is there', async () => {
    const { put, find } = openSearch();
    put(aDocument(ona, 'The volcano near Bar', { id: 'volcano' }));
    for (const asked of [
      'volcano*',
      'NEAR(volcano bar)',
      'volcano AND bar',
      'near:bar',
      '"volcano',
      'volcano\\',
      '+bar',
    ])
      expect(await find(ona, asked), asked).toEqual(['volcano']);
  });
});
