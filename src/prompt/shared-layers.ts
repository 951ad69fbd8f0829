import { absentLayer, type Layer } from './layer.ts';
import { type FrozenText, promptLayers } from './snapshot.ts';

/** The boundaries that no cartridge can leave out. */
export const constantBoundaries = ['self_harm', 'sexual_content'];

/** Persona (with its mode), behaviour, safety and the provider's override, as frozen. */
export function fileLayers(prompts: readonly FrozenText[]): Layer[] {
  return promptLayers.map((name, index) => {
    const frozen = prompts[index];
    return frozen
      ? { name, text: frozen.text.trim(), source: frozen.source, hash: frozen.hash }
      : absentLayer(name, 'no such file for this cartridge, and no default');
  });
}

/** The language to answer in, whatever the student writes in. Never left out. */
export function languageLayer(language: string): Layer {
  const name =
    languageNames[language] ??
    new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ??
    language;
  const text = `Always answer in ${name}, whatever language the other writes in or asks for. Write it correctly, as an educated native speaker does${language === 'lt' ? ', with every Lithuanian letter (ą č ę ė į š ų ū ž) in its place and „such“ quotation marks' : ''}.`;
  return { name: 'language', text, source: 'cartridge#/language' };
}

/** Told once, after a reply was withdrawn. */
export function redactionLayer(boundary: string | null): Layer {
  if (boundary === null) return absentLayer('redaction_context', 'no reply was withdrawn since the last one');
  const text = `Your last reply was withdrawn before it could be read, because it touched "${boundary.replaceAll('_', ' ')}"; a neutral line was shown in its place. Stay in your part, keep well clear of that, do not repeat it and do not speak of the withdrawal.`;
  return { name: 'redaction_context', text, source: 'session' };
}

const languageNames: Readonly<Record<string, string>> = { lt: 'Lithuanian (lietuvių kalba)', en: 'English' };
