import { type CompanionCartridge, layersOf } from '../cartridge/companion.ts';

/** What a list of companions says of one: what it is, and what of a person it reads and keeps. */
export function summariseCompanion(cartridge: CompanionCartridge) {
  return {
    id: cartridge.id,
    kind: 'companion',
    title: cartridge.title,
    description: cartridge.description,
    language: cartridge.language,
    available_languages: cartridge.available_languages,
    uses_profile: layersOf(cartridge).some(({ layer }) => layer === 'profile_narrative'),
    rolling_memory: cartridge.memory.rolling?.update ?? null,
  };
}
