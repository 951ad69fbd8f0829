import type { CompanionTexts } from './companion-texts.ts';
import { counted, type Forms } from './plural.ts';

const language = 'lt';
const messageForms: Forms = { one: 'žinutė', few: 'žinutės', other: 'žinučių' };
const placeForms: Forms = { one: 'vieta', few: 'vietos', other: 'vietų' };
const messages = (count: number) => counted(language, count, messageForms);

/** Students and teachers read these alike, so nobody is addressed as „tu“ or „jūs“ where it can be helped. */
export const companionsLithuanian: CompanionTexts = {
  title: 'Pašnekovai',
  intro: 'Su jais galima pagalvoti kartu. Tai dirbtinis intelektas: jis gali klysti ir užsirašo, ką išgirsta.',
  none: 'Pašnekovų čia dar nėra.',
  talk: 'Kalbėtis',
  back: 'Visi pašnekovai',
  home: { student: 'Į pamokas', staff: 'Į klasės puslapį' },
  signedOut: 'Čia niekas neprisijungęs. Mokiniai jungiasi su kodu iš lentos, mokytojai – per savo nuorodą.',
  join: 'Prisijungti su kodu',
  missing: 'Tokio pašnekovo čia nėra arba jis skirtas kitiems.',
  conversationMissing: 'Tokio pokalbio čia nėra.',
  more: 'Rodyti daugiau',
  side: 'Užrašai ir ankstesni pokalbiai',
  showSide: 'Užrašai',
  showTalk: 'Pokalbis',

  chat: {
    message: 'Žinutė',
    placeholder: 'Žinutė…',
    stopped: 'Atsakymas sustabdytas.',
    redacted: 'Šis atsakymas atšauktas ir pakeistas kitu: jis pažeidė pokalbio taisykles.',
    noAi: 'Šiuo metu pokalbyje nėra dirbtinio intelekto: atsakymai tik užrašo, kas parašyta.',
  },
  writing: (name) => `${name} rašo…`,
  ai: () => 'Čia atsako dirbtinis intelektas, jis gali klysti.',

  talkView: {
    end: 'Baigti pokalbį',
    ending: 'Baigiama…',
    endFailed: 'Šiuo metu baigti nepavyko. Verta bandyti dar kartą.',
    ended: 'Šis pokalbis baigtas.',
    startNew: 'Pradėti naują',
    endedMeanwhile: 'Šis pokalbis jau baigtas. Parašyti žodžiai išsaugoti; juos galima išsiųsti pradėjus naują.',
    elsewhere: 'Kitame lange dar rašomas atsakymas. Parašyti žodžiai liko žemiau.',
    paused: 'Šis pokalbis pristabdytas.',
    beginFailed: 'Pokalbio pradėti nepavyko. Parašyti žodžiai liko žemiau.',
  },

  remembered: {
    done: (parts) => `Įsiminta: ${parts}.`,
    failed: (parts) => `Įsiminti nepavyko: ${parts}.`,
    skipped: 'Pokalbis per trumpas, tad nieko neįsiminta.',
    parts: {
      summary: 'santrauka',
      key_facts: 'svarbiausi faktai',
      topics: 'temos',
      learnings: 'kas išmokta',
      parent_note: 'laiškelis globėjams',
      objectives: 'ko paklausti kitą kartą',
      rolling: 'užrašai',
    },
  },

  past: {
    title: 'Ankstesni pokalbiai',
    none: 'Dar nėra.',
    open: 'tebevyksta',
    messages,
    failed: 'Šiuo metu jų parodyti nepavyksta.',
  },

  recall: {
    title: 'Iš ankstesnių pokalbių',
    topics: 'Apie ką kalbėta',
    facts: 'Kas įsiminta',
    summary: 'Praėjusį kartą',
    none: 'Kol kas nieko. Kas svarbu, įsimenama pokalbiui pasibaigus.',
  },

  project: {
    about: (name) => `Projektas: ${name}`,
    label: 'Kuris projektas?',
    whole: 'Projektas be pavadinimo',
    add: 'Naujas projektas',
    name: 'Projekto pavadinimas',
    save: 'Pradėti',
    cancel: 'Atšaukti',
    missing: 'Įrašykite pavadinimą.',
    failed: 'Projekto pradėti nepavyko. Bandykite dar kartą.',
  },

  learner: {
    about: (name) => `Pokalbio tema: ${name}`,
    label: 'Apie ką kalbama?',
    whole: 'Apie darbą apskritai',
    add: 'Pridėti mokinį',
    name: 'Mokinio vardas',
    save: 'Pridėti',
    cancel: 'Atšaukti',
    missing: 'Įrašykite vardą.',
    failed: 'Mokinio pridėti nepavyko. Bandykite dar kartą.',
    unknown: 'Mokinys',
  },

  memory: {
    title: 'Kas įsiminta',
    about: (name) => `Kas įsiminta (${name})`,
    none: 'Kol kas nieko. Užrašai daromi iš to, kas čia pasakyta.',
    status: {
      current: 'Atnaujinta',
      pending: 'Atnaujinama…',
      failed: 'Užrašų atnaujinti nepavyko. Nieko iš to, kas pasakyta, nedingo; po kitos žinutės bus bandoma vėl.',
    },
    changed: (date) => `Paskutinį kartą pakeista: ${date}`,
    turns: (count) => `Aprėpta: ${messages(count)}`,
    summary: 'Santrauka',
    noSummary: 'Santraukos dar nėra.',
    facts: 'Faktai',
    superseded: (date) => `iki ${date}`,
    formerFacts: (count) => `Nebegalioja (${count})`,
    recent: 'Paskutinės žinutės',
    you: 'Aš',
    edit: 'Taisyti santrauką',
    editLabel: 'Santrauka savais žodžiais',
    save: 'Išsaugoti',
    cancel: 'Atšaukti',
    saved: 'Santrauka išsaugota.',
    clear: 'Visa tai pamiršti',
    clearQuestion: 'Pamiršti viską, kas parašyta aukščiau?',
    clearHint: 'Pirmiausia viskas perkeliama į archyvą, kur paieška dar ras. Po to atsakymams tai įtakos nebeturės.',
    clearYes: 'Archyvuoti ir pamiršti',
    clearNo: 'Palikti',
    cleared: 'Perkelta į archyvą ir pamiršta.',
    failed: 'Nepavyko išsiųsti. Verta bandyti dar kartą.',
    unreachable: 'Šiuo metu užrašų parodyti nepavyksta.',
  },

  search: {
    title: 'Ieškoti, kas buvo sakyta',
    label: 'Ieškomi žodžiai',
    archive: 'Ieškoti ir archyve',
    submit: 'Ieškoti',
    found: (count) => `Rasta: ${counted(language, count, placeForms)}`,
    nothing: 'Pagal šiuos žodžius nieko nerasta.',
    corrected: (from, to) => `Vietoj „${from}“ ieškota „${to}“.`,
    archived: 'iš archyvo',
    kinds: { summary: 'Santrauka', fact: 'Faktas', turn: 'Žinutė' },
    failed: 'Paieška nepavyko. Verta bandyti dar kartą.',
  },

  widget: {
    confirm: 'Patvirtinti',
    dismiss: 'Ne dabar',
    confirmed: 'Patvirtinta',
    dismissed: 'Atidėta',
    unanswered: 'Neatsakyta',
    told: () => 'Pašnekovas apie tai sužinos su kita žinute.',
    choose: 'Pirmiausia reikia ką nors pasirinkti.',
    dateMissing: 'Pirmiausia reikia pasirinkti datą.',
    date: 'Data',
    deadline: 'Terminas',
    noDeadline: 'be termino',
    done: 'atlikta',
    open: 'neatlikta',
    elsewhere: 'Į tai jau atsakyta kitame lange. Dabar čia rodoma, kas galioja.',
    busy: 'Reikia palaukti, kol bus baigtas atsakymas, ir bandyti dar kartą.',
    wrong: 'Taip patvirtinti negalima. Verta dar kartą peržiūrėti.',
    failed: 'Nepavyko išsiųsti. Verta bandyti dar kartą.',
  },

  technical: {
    title: 'Kūrėjui: tikslus nurodymas',
    confidence: (percent) => `Tikrumas: ${percent}`,
    depth: (level) => `Analizės lygmuo: ${level}`,
    complete: 'Analizė baigta',
  },
};
