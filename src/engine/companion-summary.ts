import { type CompanionCartridge, layersOf } from '../cartridge/companion.ts';

/** Whether a companion's conversations are each about a project, whose memory or analysis they share. */
export function usesProjects({ memory, workflow }: CompanionCartridge): boolean {
  return memory.typed !== undefined || workflow !== undefined;
}

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
    uses_projects: usesProjects(cartridge),
    rolling_memory: cartridge.memory.rolling?.update ?? null,
  };
}
