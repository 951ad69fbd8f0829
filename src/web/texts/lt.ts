import { counted, type Forms } from './plural.ts';
import type { Texts } from './texts.ts';

const language = 'lt';

const minutes: Forms = { one: 'minutė', few: 'minutės', other: 'minučių' };
const characters: Forms = { one: 'ženklas', few: 'ženklai', other: 'ženklų' };
const results: Forms = { one: 'rezultatas', few: 'rezultatai', other: 'rezultatų' };
const secondsAfter: Forms = { one: 'sekundės', few: 'sekundžių', other: 'sekundžių' };
const students: Forms = { one: 'mokinys', few: 'mokiniai', other: 'mokinių' };
const lessons: Forms = { one: 'pamoka', few: 'pamokos', other: 'pamokų' };

export const lithuanian: Texts = {
  language,
  brand: 'Trickster',
  tagline: 'Apgaulės pamokos',
  needsScript: 'Šiam puslapiui reikia „JavaScript“. Paprašyk mokytojo kitos naršyklės.',
  loading: 'Akimirką…',
  retry: 'Bandyti dar kartą',
  chooseLanguage: 'Kalba',
  ownData: 'Mano duomenys',
  minutes: (count) => counted(language, count, minutes),

  join: {
    title: 'Prisijunk prie klasės',
    intro: 'Kodą rasi lentoje. Daugiau nieko nereikia: nei paskyros, nei el. pašto.',
    code: 'Klasės kodas',
    name: 'Kaip į tave kreiptis?',
    nameHint: 'Vardas arba slapyvardis. Gali ir nieko nerašyti.',
    submit: 'Prisijungti',
    codeMissing: 'Įrašyk kodą iš lentos.',
    codeWrong: 'Klasės su tokiu kodu nėra. Patikrink kiekvieną raidę.',
    expired: 'Prisijungimas nebegalioja. Prisijunk su kodu iš naujo.',
  },

  lessons: {
    title: 'Pamokos',
    greeting: (name) => `Labas, ${name}`,
    intro: 'Kas nors čia gali bandyti tave apgauti. Kiekvienos pamokos pabaigoje sužinosi, kaip buvo iš tikrųjų.',
    start: 'Pradėti',
    resume: 'Tęsti',
    none: 'Tavo klasė dar neturi pamokų. Jų gali pridėti mokytojas.',
    someoneElse: 'Čia ne aš: prisijungti kitu vardu',
    companions: 'Pasikalbėti su pašnekovu',
  },

  lesson: {
    back: 'Visos pamokos',
    paused: 'Mokytojas pristabdė pamoką. Niekas nedingo, galėsi tęsti, kai mokytojas leis.',
    changedTitle: 'Ši pamoka pakeista',
    changed: 'Pamoka pataisyta, ir dalies, kurioje buvai, nebėra. Gali tęsti nuo pradžios.',
    changedGoOn: 'Tęsti nuo pradžios',
    gone: 'Šios pamokos čia nėra. Gal ji pradėta kitame įrenginyje arba labai seniai.',
    choices: 'Ką darysi?',
    choiceFailed: 'Nepavyko išsiųsti. Bandyk dar kartą.',
    unknownInteraction: 'Šios pamokos dalies čia parodyti neįmanoma.',
  },

  blocks: {
    imageMissing: 'Paveikslėlio nėra. Štai jo aprašymas:',
    imageDescription: 'Kas pavaizduota',
    transcript: 'Įrašo tekstas',
    audio: 'Garso įrašas',
    video: 'Vaizdo įrašas',
    mediaMissing: 'Įrašo čia nėra, bet štai kas jame sakoma:',
    chat: 'Grupės pokalbis',
    post: 'Įrašas',
    source: (source) => `Šaltinis: ${source}`,
    likes: (count) => counted(language, count, { one: 'patiktukas', few: 'patiktukai', other: 'patiktukų' }),
    comments: (count) => counted(language, count, { one: 'komentaras', few: 'komentarai', other: 'komentarų' }),
    shares: (count) => counted(language, count, { one: 'pasidalijimas', few: 'pasidalijimai', other: 'pasidalijimų' }),
    views: (count) => counted(language, count, { one: 'peržiūra', few: 'peržiūros', other: 'peržiūrų' }),
  },

  search: {
    label: 'Ko nori ieškoti?',
    submit: 'Ieškoti',
    suggestions: 'Galėtum paieškoti',
    searching: 'Ieškoma…',
    resultsFor: (query) => `Rasta pagal „${query}“`,
    found: (query, count) => `Rasta pagal „${query}“: ${counted(language, count, results)}`,
    nothing: 'Pagal šiuos žodžius nieko nerasta. Išmėgink vieną iš siūlomų paieškų.',
    findings: (found, needed) => `Svarbūs radiniai: ${found} iš ${needed}`,
    enough: 'Radai pakankamai, kad galėtum apsispręsti.',
    finish: 'Man pakanka, einu toliau',
    failed: 'Paieška nepavyko. Bandyk dar kartą.',
  },

  chat: {
    conversation: 'Pokalbis',
    trickster: 'Triksteris',
    you: 'Tu',
    message: 'Tavo žinutė',
    placeholder: 'Parašyk ką nors…',
    send: 'Siųsti',
    stop: 'Stabdyti',
    stopLong: 'Stabdyti atsakymą',
    writing: 'Triksteris rašo…',
    stopped: 'Atsakymas sustabdytas.',
    redacted: 'Šis atsakymas atšauktas ir pakeistas kitu: jis pažeidė pamokos taisykles.',
    goOn: 'Toliau',
    partOver: 'Ši pamokos dalis baigta.',
    left: (count) => `Liko ${counted(language, count, characters)}`,
    over: (count) => `${counted(language, count, characters)} per daug. Sutrumpink, ir galėsi išsiųsti.`,
    notSent: 'Tavo žinutė neišsiųsta.',
    lost: 'Ryšys nutrūko. Tai, ką parašei, išsaugota.',
    failed: 'Atsakyti nepavyko. Tai, ką parašei, išsaugota.',
    interrupted: 'Atsakymas nutrūko. Tai, ką parašei, išsaugota.',
    tooMany: (seconds) =>
      `Labai daug žinučių vienu metu. Vėl galėsi rašyti po ${counted(language, seconds, secondsAfter)}.`,
    noAi: 'Šiame pokalbyje nėra dirbtinio intelekto: atsakymai sudaromi iš pačios pamokos.',
    ai: 'Triksteris yra dirbtinis intelektas, atliekantis vaidmenį. Nepasakok jam nieko asmeniško.',
    earlier: 'Jūsų pokalbis',
    forgotten: 'Tai, kas čia buvo kalbėta anksčiau, ištrinta. Pamokų žodžiai saugomi neilgai, paprastai vieną parą.',
    reconnecting: 'Ryšys prastas. Jungiamasi iš naujo…',
  },

  reveal: {
    outcome: {
      trickster_wins: 'Šį raundą laimėjo Triksteris',
      partial: 'Lygiosios',
      trickster_loses: 'Šį raundą laimėjai tu',
    },
    outcomeText: {
      trickster_wins: 'Taip nutinka kiekvienam, todėl ir treniruojamės. Pažiūrėk, kaip tai padaryta.',
      partial: 'Dalį pastebėjai. Pažiūrėk, kas prasprūdo pro akis.',
      trickster_loses: 'Matei aiškiai. Vis tiek pažiūrėk, kaip tai padaryta.',
    },
    ask: 'Tegu Triksteris paaiškina',
    askHint: 'Triksteris sąžiningai papasakos, ką darė, kodėl ir kaip į tai atsakei.',
    debrief: 'Be kaukės',
    keyLesson: 'Ką verta įsidėmėti',
    resources: 'Kur paskaityti daugiau',
    done: 'Grįžti į pamokas',
    again: 'Pradėti iš naujo',
  },

  connection: {
    offline: 'Nėra ryšio. Tai, ką rašai, lieka čia, o ryšiui grįžus viskas tęsis.',
    unreachable: 'Šiuo metu serveris nepasiekiamas.',
  },

  teacher: {
    signedOut: 'Atverkite mokytojo nuorodą, kurią serveris parodė paleidimo metu.',
    goTo: 'Atverkite šį adresą',
    typeCode: 'ir įrašykite šį kodą',
    onlyHere:
      'Šį adresą gali atverti tik šis kompiuteris. Kad prisijungtų klasė, paleiskite serverį su HOST=0.0.0.0 ir atverkite šį puslapį kompiuterio adresu mokyklos tinkle.',
    lessons: 'Pamokos',
    lessonCount: (count) => counted(language, count, lessons),
    noLessons: 'Pamokų dar nėra. Įdėkite pamoką į aplanką „cartridges“.',
    kinds: { ai_driven: 'Su veikėju', hybrid: 'Veikėjas ir scenarijus', static: 'Tik scenarijus' },
    students: 'Mokiniai',
    studentCount: (count) => counted(language, count, students),
    studentsHint: 'Atvėrę mokinio puslapį rasite, ko jo paklausti, jo profilį ir nuorodą globėjui.',
    noStudents: 'Dar niekas neprisijungė. Duokite mokiniams viršuje esantį adresą ir kodą.',
    nameless: 'Be vardo',
    joined: (day) => `prisijungė ${day}`,
    moreStudents: (count) => `Čia netelpa anksčiau prisijungę (${counted(language, count, students)}).`,
    companions: 'Pašnekovai',
    companionsHint: 'Su jais galima pasitarti apie mokinius ir savo darbą.',
    toCompanions: 'Pas pašnekovus',
    findings: 'Ką pamokose reikėtų pataisyti',
    noFindings: 'Nieko: pamokų failuose klaidų nerasta.',
    error: 'Klaida',
    warning: 'Įspėjimas',
    noAi: 'DI modelis neprijungtas: serveris vaidina veikėją pagal kiekvienos pamokos scenarijų.',
    technique: 'Manipuliacijos būdas',
  },
};
