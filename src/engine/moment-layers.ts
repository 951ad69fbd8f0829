import type { Layer } from '../prompt/layer.ts';

/** The person before everything: carried by the turn that answers a sign of crisis. */
export function crisisLayer(kinds: readonly string[]): Layer {
  const text = [
    `The last message shows signs of: ${[...new Set(kinds)].map((kind) => kind.replaceAll('_', ' ')).join(', ')}.`,
    'This comes before everything else in these instructions. Leave your part at once. Answer as a calm, warm adult: take it seriously, thank them for saying it, ask nothing that presses, judge nothing, promise no secrecy, give no method and no diagnosis.',
    'Encourage them to talk now to an adult they trust; help lines follow below your reply, so do not list any. Where it is somebody else who is in danger, say that telling a responsible adult at once is how to help them, and no betrayal. At most five short sentences. Do not go back to what was being done before, and end nothing.',
  ].join('\n');
  return { name: 'crisis', text, source: 'safety' };
}

/** Carried once by the turn after a reply that pressed too hard. */
export function easeOffLayer(ceiling: number): Layer {
  const text = `Your last reply pressed the student harder than this lesson allows (at most ${ceiling} of 5). Ease off in this one: acknowledge what they said, no challenge, no irony at their expense; one open question at the most.`;
  return { name: 'de_escalation', text, source: 'safety' };
}

/** Carried by every turn after the safe word was said. */
export function outOfRoleLayer(): Layer {
  const text =
    'The student said the safe word. Stay out of your part for the rest of this lesson: no tricks, no pressure, no pretending. Speak plainly and kindly, and talk about the material openly if they wish to.';
  return { name: 'out_of_role', text, source: 'session' };
}
