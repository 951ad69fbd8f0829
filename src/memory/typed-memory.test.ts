import { describe, expect, it } from 'vitest';
import { expiryOf, isMemoryItemType, memoryItemTypes, typedMemorySettings } from './typed-memory.ts';

describe('the settings of typed memory', () => {
  it("are the seed's numbers where a cartridge says nothing", () => {
    expect(typedMemorySettings()).toEqual({
      candidates: 100,
      threshold: 0.3,
      top: 10,
      decay_per_hour: { error: 0.1, solution: 0.1, context: 0.1, dependency: 0.1, message: 0.1 },
      ttl_days: 30,
      relevance: 'seed',
    });
  });

  it('take one decay for all types, or each type its own and the rest as usual', () => {
    expect(typedMemorySettings({ decay_per_hour: 0.02 }).decay_per_hour.solution).toBe(0.02);
    const some = typedMemorySettings({ decay_per_hour: { error: 0, message: undefined } }).decay_per_hour;
    expect([some.error, some.message]).toEqual([0, 0.1]);
    const record: Record<string, number> = { dependency: 0.5, nonsense: 9 };
    expect(typedMemorySettings({ decay_per_hour: record }).decay_per_hour.dependency).toBe(0.5);
  });

  it('let balanced memories fade over days: messages and errors first, solutions and dependencies last', () => {
    const decay = typedMemorySettings({ relevance: 'balanced' }).decay_per_hour;
    const halfLifeDays = memoryItemTypes.map((type) => Math.round(Math.LN2 / decay[type] / 24));
    expect(Object.fromEntries(memoryItemTypes.map((type, index) => [type, halfLifeDays[index]]))).toEqual({
      message: 14,
      error: 21,
      context: 45,
      solution: 90,
      dependency: 90,
    });
  });

  it('keep a threshold and a decay of nought', () => {
    expect(typedMemorySettings({ threshold: 0, decay_per_hour: 0 })).toMatchObject({
      threshold: 0,
      decay_per_hour: { error: 0 },
    });
  });
});

describe('memory items', () => {
  it('are forgotten after their days', () => {
    expect(expiryOf({ at: 1_000 }, { ttl_days: 30 })).toBe(1_000 + 2_592_000_000);
  });

  it('are of five types and no other', () => {
    expect(memoryItemTypes.every(isMemoryItemType)).toBe(true);
    for (const word of ['ERROR', '', '__proto__', 'constructor']) expect(isMemoryItemType(word)).toBe(false);
  });
});
