import { isCompanion } from '../cartridge/cartridge-text.ts';
import { type Finding, hasErrors, locateComplaints } from '../cartridge/finding.ts';
import { readJson } from '../core/json-source.ts';
import type { CartridgeFolder } from './cartridge-folder.ts';

/** Warnings for prerequisites that name no cartridge among these folders. */
export function checkPrerequisites(folders: ReadonlyMap<string, CartridgeFolder>): Finding[] {
  return [...folders.values()].flatMap(({ served, file, findings }) => {
    if (!served || hasErrors(findings) || isCompanion(served.cartridge)) return [];
    const { prerequisites } = served.cartridge;
    const isAbsent = (id: unknown) =>
      typeof id === 'string' && prerequisites.includes(id) && !folders.get(id)?.isCartridge;
    if (!prerequisites.some(isAbsent)) return [];
    const reading = readJson(served.text);
    if (reading.kind === 'unreadable') return [];
    const complaints = listIn(reading.source.value).flatMap((id, index) => (isAbsent(id) ? [absent(id, index)] : []));
    return locateComplaints(complaints, file, reading.source.locate);
  });
}

function absent(id: unknown, index: number) {
  return {
    severity: 'warning',
    path: ['prerequisites', index],
    message: `There is no cartridge ${JSON.stringify(id)} here.`,
    hint: 'Write the task_id of a lesson that is there, or add that lesson.',
  } as const;
}

/** The list as it stands in the file, nulls and all, so that indexes are those of the text. */
function listIn(value: unknown): unknown[] {
  const list: unknown =
    typeof value === 'object' && value !== null && 'prerequisites' in value ? value.prerequisites : [];
  return Array.isArray(list) ? list : [];
}
