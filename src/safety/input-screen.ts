import type { CompiledSafety } from './compile.ts';

/** What a learner's message shows. It is never blocked and never altered. */
export type InputScreen = {
  injections: readonly { id: string; kind: string }[];
  crisis: readonly { id: string; kind: string; severity: 1 | 2 | 3 }[];
  /** A safe word was said: the character steps out of role. */
  safeWord: boolean;
};

/** Screens one message. `language` and the cartridge's own `safeWords` say which safe words count. */
export function screenInput(
  compiled: CompiledSafety,
  text: string,
  options: { language: string; safeWords?: readonly string[] },
): InputScreen {
  void compiled;
  void text;
  void options;
  return { injections: [], crisis: [], safeWord: false };
}
