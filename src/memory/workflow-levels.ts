/** A level of an analysis that goes deeper step by step: its name, and what has to come to light on it. */
export type WorkflowLevel = { readonly title: string; readonly goal: string };

const english: readonly WorkflowLevel[] = [
  { title: 'The problem', goal: 'Say what is wrong, for whom, and what belongs to the problem and what does not.' },
  { title: 'The surface', goal: 'Name the parts that the problem touches, and what can be seen to go wrong in each.' },
  { title: 'The structure', goal: 'Show how these parts work together within the whole system.' },
  { title: 'The cause', goal: 'Find what brings the problem about, and what it depends on.' },
  { title: 'The plan', goal: 'Lay out the solution and the steps that carry it out.' },
];

const lithuanian: readonly WorkflowLevel[] = [
  { title: 'Problema', goal: 'Įvardyk, kas negerai, kam tai trukdo, kas priklauso problemai, o kas – ne.' },
  { title: 'Paviršius', goal: 'Išvardyk dalis, kurias problema paliečia, ir kas jose matomai sutrinka.' },
  { title: 'Sandara', goal: 'Parodyk, kaip šios dalys veikia kartu visoje sistemoje.' },
  { title: 'Priežastis', goal: 'Surask, kas problemą sukelia ir nuo ko tai priklauso.' },
  { title: 'Planas', goal: 'Išdėstyk sprendimą ir žingsnius jam įgyvendinti.' },
];

/** The levels of a cartridge that names none: 0 to 4, as seed 004 has them. */
export function defaultWorkflowLevels(language: string): readonly WorkflowLevel[] {
  return language === 'lt' ? lithuanian : english;
}
