import { expect, test } from 'vitest';
import { Notebook } from './notebook.ts';

/** A storage as browsers have it: its entries are its own keys, its methods are not. */
function memoryStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? (this[key] ?? null) : null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

test('what was written in the notebook is there in the next one', () => {
  const storage = memoryStorage();
  const notebook = new Notebook(storage);
  notebook.keepSession('u1', 'click-trap', 's1');
  notebook.keepDraft('s1', 'half a thou');
  notebook.keepPending('s1', { message: 'Labas', clientMessageId: 'm1' });
  const next = new Notebook(storage);
  expect(next.session('u1', 'click-trap')).toBe('s1');
  expect(next.session('u2', 'click-trap')).toBeNull();
  expect(next.draft('s1')).toBe('half a thou');
  expect(next.pending('s1')).toEqual({ message: 'Labas', clientMessageId: 'm1' });
});

test('another learner finds nothing of the one before but the language', () => {
  const storage = memoryStorage();
  const notebook = new Notebook(storage);
  notebook.language = 'lt';
  notebook.keepSession('u1', 'click-trap', 's1');
  notebook.keepDraft('s1', 'private');
  storage.setItem('of-another-page', 'stays');
  notebook.forgetLearner();
  expect(Object.keys(storage).toSorted()).toEqual(['of-another-page', 'trickster.language']);
});

test('a session that is gone is forgotten with its draft', () => {
  const notebook = new Notebook(memoryStorage());
  notebook.keepSession('u1', 'click-trap', 's1');
  notebook.keepSession('u1', 'the-hum', 's2');
  notebook.keepDraft('s1', 'draft');
  notebook.forgetSession('s1');
  expect(notebook.session('u1', 'click-trap')).toBeNull();
  expect(notebook.session('u1', 'the-hum')).toBe('s2');
  expect(notebook.draft('s1')).toBe('');
});

test('without a storage, or with a broken note in it, the page goes on', () => {
  const forbidden = new Notebook(null);
  forbidden.keepDraft('s1', 'text');
  expect(forbidden.draft('s1')).toBe('');
  forbidden.forgetLearner();
  const storage = memoryStorage();
  storage.setItem('trickster.pending.s1', '{"message":');
  expect(new Notebook(storage).pending('s1')).toBeNull();
});
