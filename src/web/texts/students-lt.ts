import { counted, type Forms } from './plural.ts';
import type { ProfileTexts, StudentsTexts } from './students-texts.ts';

const language = 'lt';
const entryForms: Forms = { one: 'įrašas', few: 'įrašai', other: 'įrašų' };
const characterForms: Forms = { one: 'ženklas', few: 'ženklai', other: 'ženklų' };
const fieldForms: Forms = { one: 'lauką', few: 'laukus', other: 'laukų' };
const entries = (count: number) => counted(language, count, entryForms);
const characters = (count: number) => counted(language, count, characterForms);

/** Teachers and students read these alike, so nobody is addressed as „tu“ or „jūs“ where it can be helped. */
export const profileLithuanian: ProfileTexts = {
  title: 'Profilis',
  hint: 'Tai skaito mokiniui patariantys pašnekovai. Mokinys taip pat gali matyti ir keisti savo profilį.',
  ownTitle: 'Ką man papasakojai',
  ownHint: 'Tai perskaitau prieš kiekvieną atsakymą. Matyti ir keisti gali ir mokytojas.',
  updated: (when) => `Paskutinį kartą išsaugota: ${when}`,
  empty: 'Dar nieko neįrašyta. Kiekvieną lauką galima palikti tuščią.',
  parts: {
    school_year: 'Klasė',
    gpa: 'Pažymių vidurkis',
    deadlines: 'Terminai',
    schools: 'Mokyklos, į kurias norima stoti',
    testing: 'Testai ir egzaminai',
    activities: 'Veikla po pamokų',
    interests: 'Pomėgiai',
    notes: 'Pastabos',
  },
  fields: {
    school_year: 'Klasė',
    'gpa.value': 'Pažymių vidurkis',
    'gpa.scale': 'Iš kiek',
    interests: 'Pomėgiai',
    notes: 'Pastabos',
    'deadlines.title': 'Kas turi būti atlikta',
    'deadlines.due_on': 'Iki kada',
    'schools.name': 'Mokykla',
    'schools.status': 'Būsena',
    'schools.deadline': 'Terminas',
    'testing.test': 'Testas ar egzaminas',
    'testing.score': 'Rezultatas',
    'testing.taken_on': 'Laikymo data',
    'activities.name': 'Veikla',
    'activities.role': 'Vaidmuo',
    'activities.hours_per_week': 'Val. per savaitę',
    'activities.years': 'Kiek metų',
  },
  interestsHint: 'Po vieną kiekvienoje eilutėje.',
  add: {
    deadlines: 'Pridėti terminą',
    schools: 'Pridėti mokyklą',
    testing: 'Pridėti testą ar egzaminą',
    activities: 'Pridėti veiklą',
  },
  remove: 'Pašalinti',
  entry: (part, place) => `${part}, ${place}`,
  removed: 'Pašalinta. Išsaugojus dings galutinai.',
  full: (most) => `Daugiau netelpa: daugiausia ${entries(most)}.`,
  save: 'Išsaugoti profilį',
  saving: 'Išsaugoma…',
  saved: 'Profilis išsaugotas.',
  unsaved: 'Yra neišsaugotų pakeitimų.',
  discard: 'Atšaukti pakeitimus',
  failed: 'Išsaugoti nepavyko. Kas įrašyta, liko čia; verta bandyti dar kartą.',
  signedOut: 'Neišsaugota: prisijungimas nebegalioja. Prisijungus kitame lange, čia galima išsaugoti dar kartą.',
  unreachable: 'Šiuo metu profilio parodyti nepavyksta.',
  wrong: (count) => `Neišsaugota: reikia dar kartą peržiūrėti ${counted(language, count, fieldForms)}.`,
  conflict: {
    title: 'Šį profilį tuo tarpu išsaugojo kažkas kitas',
    kept: 'Kas čia įrašyta, liko, bet dar neišsaugota.',
    differs: (parts) => `Skiriasi: ${parts}.`,
    same: 'Ten išsaugota tas pats, kas įrašyta čia.',
    load: 'Įkelti naujesnį, savo pakeitimų atsisakyti',
    overwrite: 'Vis tiek išsaugoti tai, kas įrašyta čia',
  },
  problems: {
    empty: 'Čia reikia ką nors įrašyti.',
    tooLong: (most) => `Telpa daugiausia ${characters(most)}.`,
    tooMany: (most) => `Telpa daugiausia ${entries(most)}.`,
    day: 'Reikia nurodyti dieną.',
    number: 'Reikia įrašyti skaičių.',
    notNegative: 'Skaičius turi būti ne mažesnis už 0.',
    aboveZero: 'Skaičius turi būti didesnis už 0.',
    atMost: (most) => `Skaičius turi būti ne didesnis už ${most}.`,
    other: 'Taip išsaugoti negalima.',
  },
};

export const studentsLithuanian: StudentsTexts = {
  student: 'Mokinys',
  nameless: 'Mokinys be vardo',
  back: 'Į klasės puslapį',
  joined: (title, day) => `Klasė: ${title}, prisijungė ${day}`,
  missing: 'Tokio mokinio čia nėra arba jis ne iš jūsų klasės.',
  signedOut: 'Čia niekas neprisijungęs. Atverkite mokytojo nuorodą.',
  notForYou: 'Šis puslapis skirtas mokytojams.',

  sheet: {
    title: 'Prieš kitą pokalbį',
    hint: 'Apie ką pašnekovas ketina kalbėtis su šiuo mokiniu. Tai parašė dirbtinis intelektas, jis gali klysti.',
    none: 'Dar nieko neparengta. Parengiama po pokalbio, pakeitus profilį, kasdien arba jums paprašius.',
    nothing: 'Šį kartą nieko ypatingo.',
    noCompanions: 'Čia nėra pašnekovo, kuris ruoštųsi pokalbiams.',
    questions: 'Ko paklausti',
    checkOn: 'Ką pasitikslinti',
    updates: 'Ką pranešti',
    made: (when, reason) => `Parengta ${when}, ${reason}`,
    reasons: {
      session: 'po pokalbio',
      daily: 'kasdien peržiūrint artėjančius terminus',
      profile: 'pasikeitus profiliui',
      asked: 'paprašius',
    },
    refresh: 'Parengti iš naujo',
    prepare: 'Parengti dabar',
    onItsWay: 'Rengiama iš naujo. Čia pasirodys savaime.',
    isNew: 'Parengta iš naujo.',
    late: 'Užtrunka ilgiau nei paprastai. Čia matyti tai, kas parengta anksčiau, jei kas buvo parengta.',
    lookAgain: 'Pažiūrėti dar kartą',
    failed: 'Nepavyko išsiųsti. Bandykite dar kartą.',
    unreachable: 'Šiuo metu to parodyti nepavyksta.',
  },

  profile: profileLithuanian,

  guardian: {
    title: 'Globėjas',
    hint: 'Davę sutikimą, tėvai ar globėjai su nuoroda gali skaityti laiškelius apie šio mokinio pokalbius.',
    name: 'Globėjo vardas (galima palikti tuščią)',
    make: 'Sukurti nuorodą globėjui',
    another: 'Sukurti kitą nuorodą',
    made: 'Nuoroda sukurta',
    keyHint:
      'Tai raktas: kas ją atvers, prisijungs kaip šis globėjas. Duokite ją tik tam vienam žmogui. Ji rodoma tik dabar.',
    link: (name) => (name === '' ? 'Nuoroda globėjui' : `Nuoroda, skirta: ${name}`),
    copy: 'Kopijuoti',
    copied: 'Nukopijuota.',
    copyByHand: 'Nuoroda pažymėta: nukopijuokite ją klavišais „Ctrl+C“ arba palaikę ant jos pirštą.',
    failed: 'Nuorodos sukurti nepavyko. Bandykite dar kartą.',
  },
};
