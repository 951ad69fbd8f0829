import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTestFile } from '../../test/fixtures/running-server.ts';
import { readSafetyFiles, requireSafety } from './lexicon-files.ts';

const shipped = join(import.meta.dirname, '../../data');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trickster-lexicons-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lexicon = (entries: object[], boundary = 'drugs') =>
  JSON.stringify({ language: 'en', boundary, entries }, null, 2);
const entry = { id: 'd-1', phrase: 'buy weed', category: 'offer', severity: 2, source: 'test' };

describe('the data of the filter', () => {
  it('that ships is without a fault, in both languages, for every boundary', async () => {
    const { files, findings } = await readSafetyFiles(shipped);
    expect(findings).toEqual([]);
    for (const language of ['en', 'lt']) {
      const boundaries = files.lexicons.filter((each) => each.language === language).map((each) => each.boundary);
      expect(boundaries.toSorted()).toEqual([
        'drugs',
        'hate_speech',
        'personal_data',
        'profanity',
        'real_radicalization',
        'self_harm',
        'sexual_content',
        'violence',
      ]);
      const data = files.languages[language];
      for (const list of [
        data?.debriefMarkers,
        data?.indicators,
        data?.injections,
        data?.crisisSigns,
        data?.safeWords,
        data?.helpLines.lines,
      ]) {
        expect(list?.length).toBeGreaterThan(2);
      }
      expect(data?.fallbacks['default']).toMatch(/\S/u);
    }
  });

  it('knows where each entry stands', async () => {
    await writeTestFile(folder, 'lexicons/en/drugs.json', lexicon([entry, { ...entry, id: 'd-2' }]));
    const { files } = await readSafetyFiles(folder);
    expect(files.lexicons[0]?.entries.map(({ where }) => where)).toEqual(['en/drugs.json:5:5', 'en/drugs.json:12:5']);
  });

  it('of a school adds to what ships', async () => {
    await writeTestFile(folder, 'lexicons/en/drugs.json', lexicon([entry]));
    const { files } = await readSafetyFiles(shipped, folder);
    expect(files.lexicons.filter((each) => each.boundary === 'drugs' && each.language === 'en')).toHaveLength(2);
  });

  it.each([
    ['no JSON', '{ "language": ', /value is expected/u],
    ['a severity that is none', lexicon([{ ...entry, severity: 9 }]), /severity/u],
    ['a boundary other than its name', lexicon([entry], 'violence'), /boundary is "violence"/u],
  ])('with %s is left out and told of with its line, and the rest is read', async (_, text, message) => {
    await writeTestFile(folder, 'lexicons/en/drugs.json', text);
    await writeTestFile(folder, 'lexicons/lt/drugs.json', lexicon([entry]));
    const { files, findings } = await readSafetyFiles(folder);
    expect(findings).toEqual([
      {
        file: 'en/drugs.json',
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.stringMatching(message),
      },
    ]);
    expect(files.lexicons).toHaveLength(1);
  });

  it('is empty where there is no folder', async () => {
    expect(await readSafetyFiles(join(folder, 'none'))).toEqual({
      files: { lexicons: [], languages: {} },
      findings: [],
    });
  });

  it('is all there as shipped, and is asked for before a server starts', async () => {
    const { files } = await readSafetyFiles(shipped);
    expect(() => requireSafety(files)).not.toThrow();
    expect(() => requireSafety({ lexicons: [], languages: {} })).toThrow(/lexicons\/.*crisis\.json.*help-lines\.json/u);
    expect(() => requireSafety({ ...files, lexicons: [] })).toThrow('lexicons/');
  });
});
