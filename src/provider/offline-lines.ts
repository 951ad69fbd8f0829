/** What the offline character says in one language. Lists are gone through in turn, so that it repeats itself late. */
export type OfflineLines = {
  /** Sets each word in the language's own quotation marks. */
  quote: (words: readonly string[]) => string;
  disclosure: string;
  /** Goes back to the character's opening, already quoted; the full stop is added where the quotation has none. */
  opened: (opening: string) => string;
  /** Questions that give nothing away. */
  questions: readonly string[];
  /** Questions with quoted words from the lesson in them. */
  hints: readonly ((words: string) => string)[];
  technique: (name: string) => string;
  /** To an answer of a word or two. */
  sayMore: readonly string[];
  /** The student has touched on a point, in these quoted words of theirs. */
  noticed: readonly ((words: string) => string)[];
  carryOn: readonly string[];
  understood: string;
  partial: string;
  lastExchange: string;
  debrief: {
    disclosure: string;
    keyLesson: (text: string) => string;
    heading: string;
    said: (quote: string) => string;
    unsaid: string;
    technique: (name: string) => string;
    realWorld: (text: string) => string;
    farewell: string;
  };
  /** Where there is no lesson to speak from. */
  nothingToSay: string;
  /** Words that are in every description and so say nothing of a point: whole, folded as `coverage.ts` folds. */
  functionWords: ReadonlySet<string>;
  /** How words that speak of the student and of seeing begin; folded too. */
  lessonWords: readonly string[];
};

const english: OfflineLines = {
  quote: (words) => words.map((word) => `“${word}”`).join(' and '),
  disclosure: 'No AI is behind me today: my questions come straight from the lesson.',
  opened: (opening) => `I began with ${opening}`,
  questions: [
    'What did you feel first, and which words made you feel it?',
    'Who gains something if people believe this?',
    'What would you want to check before sharing it with anyone?',
    'What is missing here that you would need to make up your own mind?',
    'What would be left if only the facts stayed?',
    'What does this want you to do?',
  ],
  hints: [
    (words) => `Look again, and keep this in mind: ${words}. What do you notice?`,
    (words) => `Think about this: ${words}. What part does it play here?`,
    (words) => `There is something we have not talked about yet: ${words}. Where would you look for it?`,
  ],
  technique: (name) => `One of the techniques at work here is called ${name}. Where do you see it?`,
  sayMore: ['Try a whole sentence: what do you see, and where?', 'Pick one detail and say what it does to you.'],
  noticed: [
    (words) => `Well spotted: ${words}.`,
    (words) => `Yes, that matters here too: ${words}.`,
    (words) => `Remember what you just wrote: ${words}.`,
  ],
  carryOn: [
    'I see. Let us look further.',
    'All right. Let us stay here a little longer.',
    'Good, now let us look at it from another side.',
  ],
  understood: 'Your answers have touched on everything that matters most here. Let us stop and look at how it worked.',
  partial: 'You have touched on part of what matters. Time is running out, so let us look at what is still unseen.',
  lastExchange: 'Our conversation ends here. Next you will see what was going on.',
  debrief: {
    disclosure: 'This summary comes straight from the lesson; no AI wrote it.',
    keyLesson: (text) => `What matters most? ${text}`,
    heading: 'This is what there was to see.',
    said: (quote) => `Your words that came closest: ${quote}.`,
    unsaid: 'It did not come up in your answers: now you know what to look for.',
    technique: (name) => `This technique is called ${name}.`,
    realWorld: (text) => `Where will you meet it? ${text}`,
    farewell: 'Now that you have seen it here, you will find it easier to spot elsewhere.',
  },
  nothingToSay: 'No AI is behind me today, so I cannot go on with this conversation. Your message is kept.',
  functionWords: new Set(
    `about after also always another because been before being both cannot could does doing down during each else even
    ever every from give gives have having here however into just like made make makes many might more most much must
    need needs never only other over rather same shall should since some such than that their them then there these
    they this those through under until upon very want wants well were what when where whether which while whose will
    with within without would your yours`.split(/\s+/),
  ),
  lessonWords: [
    'student',
    'learner',
    'recogni',
    'notic',
    'identif',
    'understand',
    'understood',
    'explain',
    'realis',
    'realiz',
  ],
};

const lithuanian: OfflineLines = {
  quote: (words) => words.map((word) => `„${word}“`).join(' ir '),
  disclosure: 'Šiandien už manęs nėra dirbtinio intelekto: klausimus imu tiesiai iš pamokos.',
  opened: (opening) => `Pradėjau šitaip: ${opening}`,
  questions: [
    'Ką pajutai pirmiausia ir kurie žodžiai tą jausmą sukėlė?',
    'Kam naudinga, kad žmonės tuo patikėtų?',
    'Ką čia reikėtų patikrinti, prieš tuo dalijantis su kitais?',
    'Ko čia trūksta, kad galėtum susidaryti savo nuomonę?',
    'Kas liktų, jei paliktume vien faktus?',
    'Ko čia iš tavęs norima?',
  ],
  hints: [
    (words) => `Pažvelk dar kartą ir turėk galvoje štai ką: ${words}. Ką pastebi?`,
    (words) => `Pagalvok apie tai: ${words}. Koks čia to vaidmuo?`,
    (words) => `Apie vieną dalyką dar nekalbėjome: ${words}. Kur to ieškotum?`,
  ],
  technique: (name) => `Vienas iš čia veikiančių būdų vadinasi ${name}. Kur jį matai?`,
  sayMore: ['Pabandyk visu sakiniu: ką matai ir kur?', 'Išsirink vieną smulkmeną ir pasakyk, kaip ji tave veikia.'],
  noticed: [
    (words) => `Pastebėta taikliai: ${words}.`,
    (words) => `Taip, čia svarbu ir tai: ${words}.`,
    (words) => `Įsidėmėk, ką ką tik parašei: ${words}.`,
  ],
  carryOn: [
    'Supratau. Žiūrėkime toliau.',
    'Gerai. Dar trumpam stabtelėkime čia.',
    'Aišku, o dabar pažvelkime iš kitos pusės.',
  ],
  understood: 'Tavo atsakymai jau palietė viską, kas čia svarbiausia. Sustokime ir pažiūrėkime, kaip tai veikė.',
  partial: 'Dalį svarbių dalykų jau palietei. Laikas baigiasi, tad pažiūrėkime, kas dar liko nepastebėta.',
  lastExchange: 'Čia mūsų pokalbis baigiasi. Toliau pamatysi, kas iš tiesų vyko.',
  debrief: {
    disclosure: 'Ši santrauka sudaryta tiesiai iš pamokos, dirbtinis intelektas jos nerašė.',
    keyLesson: (text) => `Kas svarbiausia? ${text}`,
    heading: 'Štai ką čia buvo galima pastebėti.',
    said: (quote) => `Arčiausiai to buvo tavo žodžiai: ${quote}.`,
    unsaid: 'Tavo atsakymuose to nebuvo: dabar žinai, ko ieškoti.',
    technique: (name) => `Šis būdas vadinasi ${name}.`,
    realWorld: (text) => `Kur su tuo susidursi? ${text}`,
    farewell: 'Dabar, kai tai matei čia, lengviau pastebėsi ir kitur.',
  },
  nothingToSay: 'Šiandien už manęs nėra dirbtinio intelekto, todėl šio pokalbio tęsti negaliu. Tavo žinutė išsaugota.',
  functionWords: new Set(
    `apie arba buvo buti bent daug dalis dalyk dabar dar dazniau gali galima galetu ieina iki itin jeigu jiems jog kada
    kadangi kaip kam kas kiek kita kitas kiti kodel koks kokia kokie kokiu kuri kuria kurie kurio kurios kuris kuriuo
    labai labiau musu nebent nera nuo nors pagal paciam pats per pries prie reikia savo siekia siekiama siuo skirtas
    taciau taip tada tam tampa todel tokia tokie toks tuos turi turetu vien viena vienas visi viska yra zodis`.split(
      /\s+/,
    ),
  ),
  lessonWords: ['mokin', 'atpazi', 'pasteb', 'supran', 'suprat', 'paaisk', 'ivard', 'ivardy', 'nurod'],
};

/** The lines of a language; English where it has none of its own. */
export function linesFor(language: string): OfflineLines {
  return language.toLowerCase().startsWith('lt') ? lithuanian : english;
}

/** The language somebody wrote in, for the one case where nothing else says it. */
export function guessLanguage(text: string): string {
  return /[ąčęėįšųūž]/iu.test(text) ? 'lt' : 'en';
}
