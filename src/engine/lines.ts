/** What the house itself says to a student in the course of a turn, by the lesson's language. */
type Lines = {
  /** Where the model had nothing to say, twice. */
  emptyReply: string;
  /** Where the safe word was said. */
  steppedOut: string;
  /** To someone in distress, where no model can answer; help lines follow. */
  crisis: string;
  /** Told to the model, not to the student, where a reply came back empty. */
  nudge: string;
};

const english: Lines = {
  emptyReply: 'I lost my thread for a moment. What makes you think so?',
  steppedOut:
    'All right, the game stops here. I am the Trickster only as part of this lesson, and I am out of that part now. Nothing you said was wrong. If something is weighing on you, your teacher is there to talk to. We can go on plainly whenever you like.',
  crisis:
    'Thank you for saying this. It matters, and you should not have to carry it alone. Please talk now to an adult you trust, at home or at school, or to one of the people below.',
  nudge: '(Your reply came back empty. Answer the student now, in words, in your part.)',
};

const lithuanian: Lines = {
  emptyReply: 'Akimirką pamečiau mintį. Kodėl taip manai?',
  steppedOut:
    'Gerai, žaidimas čia sustoja. Triksterį vaidinu tik šioje pamokoje, o dabar iš to vaidmens išėjau. Nieko blogo nepasakei. Jei kas nors slegia, gali pasikalbėti su mokytoju ar mokytoja. Kai norėsi, galime tęsti paprastai, be žaidimo.',
  crisis:
    'Ačiū, kad tai pasakei. Tai svarbu, ir tau nereikia to nešti vienam ar vienai. Prašau, dabar pasikalbėk su suaugusiuoju, kuriuo pasitiki, namuose ar mokykloje, arba su kuo nors iš žemiau nurodytų.',
  nudge: '(Tavo atsakymas atėjo tuščias. Atsakyk mokiniui dabar, žodžiais, likdamas vaidmenyje.)',
};

/** The lines in `language`, English where there are none. */
export function linesFor(language: string): Lines {
  return language === 'lt' ? lithuanian : english;
}

/** What the house says in a companion's place, in `language`, English where there are none. */
export function companionLinesFor(language: string): Pick<Lines, 'emptyReply' | 'nudge'> {
  return language === 'lt'
    ? {
        emptyReply: 'Atsiprašau, pamečiau mintį. Gal galite pasakyti kitais žodžiais?',
        nudge: '(Tavo atsakymas atėjo tuščias. Atsakyk dabar, žodžiais.)',
      }
    : {
        emptyReply: 'Sorry, I lost my thread. Could you put it another way?',
        nudge: '(Your reply came back empty. Answer now, in words.)',
      };
}
