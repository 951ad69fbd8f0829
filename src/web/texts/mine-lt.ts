import type { MineTexts } from './mine-texts.ts';
import { counted, type Forms } from './plural.ts';

const language = 'lt';
const entryForms: Forms = { one: 'įrašas', few: 'įrašai', other: 'įrašų' };
const secondsAfter: Forms = { one: 'sekundės', few: 'sekundžių', other: 'sekundžių' };

/** Guardians are addressed as „jūs“; the rest is read by everybody, so there nobody is addressed at all. */
export const mineLithuanian: MineTexts = {
  offline: 'Šiuo metu nėra ryšio.',
  home: { student: 'Į pamokas', staff: 'Į klasės puslapį', guardian: 'Į laiškelius' },

  guardian: {
    title: 'Laiškeliai namams',
    intro:
      'Maestro – dirbtinio intelekto pašnekovas, su kuriuo vaikas gali mokytis. Jei sutiksite, po pokalbio jis parašys jums trumpą laiškelį.',
    child: 'Jūsų vaikas',
    childNumber: (number) => `Vaikas (${number})`,
    noChildren: 'Su jumis čia nesusietas nė vienas vaikas. Kreipkitės į mokyklą.',
    signedOutTitle: 'Reikia naujos nuorodos',
    signedOut: 'Čia niekas neprisijungęs. Nuoroda galioja ribotą laiką, tad paprašykite mokyklos naujos.',
    otherRoleTitle: 'Šis puslapis skirtas tėvams ir globėjams',
    otherRole: 'Šioje naršyklėje prisijungta kitu vardu. Dar kartą atverkite iš mokyklos gautą nuorodą.',
  },

  consent: {
    label: 'Sutinku gauti maestro laiškelius apie tai, kas išmokta',
    about: 'Ką tai reiškia',
    meaning: [
      'Laiškelyje rašoma, ko ir kiek laiko mokytasi, kas sekėsi, kas buvo sunku ir kas galėtų padėti namuose. Maestro yra nurodyta nerašyti nieko asmeniško ir nieko necituoti.',
      'Be šio sutikimo niekas nerašoma. Čia galite bet kada jį atšaukti; tą patį gali padaryti ir vaikas.',
      'Atšaukus sutikimą, ankstesni laiškeliai paslepiami. Vėl sutikus, jie vėl matomi.',
    ],
    nobody: 'Dar niekas nesutiko, todėl laiškeliai nerašomi.',
    agreed: {
      you: (date) => `Sutikote ${date}.`,
      other: (date) => `Kitas vaiko globėjas sutiko ${date}.`,
    },
    withdrawn: {
      you: (date) => `Sutikimą atšaukėte ${date}. Laiškeliai nerašomi.`,
      student: (date) =>
        `Sutikimą ${date} atšaukė vaikas. Laiškeliai nerašomi. Prieš vėl sutinkant, galbūt verta apie tai pasikalbėti.`,
      other: (date) => `Sutikimą ${date} atšaukė kitas vaiko globėjas. Laiškeliai nerašomi.`,
    },
    saving: 'Išsaugoma…',
    savedOn: 'Išsaugota. Nuo šiol laiškelius rašyti galima.',
    savedOff: 'Išsaugota. Laiškeliai daugiau nerašomi.',
    offline: 'Neišsaugota: šiuo metu nėra ryšio. Galioja tai, ką rodo jungiklis.',
    failed: 'Neišsaugota: šiuo metu serveris nepasiekiamas. Galioja tai, ką rodo jungiklis.',
  },

  notes: {
    title: 'Laiškeliai',
    off: 'Kol nesutikta, laiškelių nėra.',
    none: 'Laiškelių dar nėra. Pirmasis gali ateiti po artimiausio pokalbio su maestro.',
    ai: 'Rašo dirbtinis intelektas, jis gali klysti. Jei kas nors neaišku, pasiteiraukite mokytojo.',
    isNew: 'Naujas',
    moment: 'mažiau nei minutė',
    highlights: 'Kas sekėsi',
    concerns: 'Kas buvo sunku',
    suggestions: 'Kas galėtų padėti namuose',
    older: 'Ankstesni laiškeliai',
    failed: 'Šiuo metu laiškelių parodyti nepavyksta.',
  },

  mine: {
    title: 'Mano duomenys',
    intro: 'Čia galima pasiimti savo duomenų kopiją arba juos visus ištrinti.',
    signedOutTitle: 'Čia niekas neprisijungęs',
    signedOut:
      'Mokiniai jungiasi su kodu iš lentos, mokytojai ir globėjai – per savo nuorodą. Jei ji nebegalioja, naują gali duoti mokykla.',
    join: 'Prisijungti su kodu',
  },

  own: {
    title: 'Laiškeliai namams',
    granted: (date) =>
      `Nuo ${date} maestro gali rašyti namams laiškelius apie tai, kas išmokta: su tuo sutiko tėvai ar globėjai.`,
    hint: 'Šį sutikimą galima atšaukti. Tada nauji laiškeliai neberašomi, o ankstesni paslepiami. Vėl sutikti gali tik tėvai ar globėjai.',
    withdraw: 'Atšaukti sutikimą',
    done: 'Sutikimas atšauktas. Laiškeliai nerašomi.',
    nobody: 'Dėl laiškelių namams niekas nesutiko, todėl jie nerašomi. Sutikti gali tik tėvai ar globėjai.',
    withdrawn: {
      you: (date) =>
        `Sutikimas atšauktas ${date}, laiškeliai nerašomi. Jei vis dėlto jų norėtųsi, vėl sutikti gali tik tėvai ar globėjai.`,
      other: (date) => `Tėvai ar globėjai sutikimą atšaukė ${date}; laiškeliai nerašomi.`,
    },
    offline: 'Atšaukti nepavyko: šiuo metu nėra ryšio. Niekas nepasikeitė.',
    failed: 'Atšaukti nepavyko. Niekas nepasikeitė.',
    unreachable: 'Šiuo metu sutikimų parodyti nepavyksta.',
  },

  copy: {
    title: 'Pasiimti kopiją',
    holds: {
      student: 'Viskas viename faile: pamokos ir pokalbiai, kas iš jų įsiminta, laiškeliai namams ir duoti sutikimai.',
      guardian: 'Viskas viename faile: vardas, kuris vaikas globojamas ir su kuo sutikta.',
      staff: 'Viskas viename faile: klasės, pokalbiai ir užrašai apie mokinius.',
    },
    format: 'Tai JSON failas – tekstas, kurį atveria bet kuri teksto rengyklė.',
    download: 'Atsisiųsti viską',
    gathering: 'Viskas renkama į failą…',
    done: (file) => `Parengta: failas „${file}“ yra tarp atsisiųstų failų.`,
    tooMany: (wait) =>
      `Ką tik prašyta per daug kartų. Vėl bandyti bus galima po ${counted(language, wait, secondsAfter)}.`,
    offline: 'Šiuo metu nėra ryšio. Jam grįžus verta bandyti dar kartą.',
    failed: 'Šiuo metu failo parengti nepavyko. Verta bandyti dar kartą.',
  },

  leave: {
    title: 'Atsijungti',
    means: {
      student:
        'Praverčia, kai kompiuteriu naudojasi ir kiti: atsijungus niekas čia nebegalės tęsti tuo pačiu vardu. Slaptažodžio nėra, todėl grįžti prie pradėtų pamokų ir pokalbių nebebus galima: prisijungus vėl, viskas prasidės iš naujo.',
      guardian:
        'Praverčia, kai kompiuteriu naudojasi ir kiti: atsijungus niekas čia nebegalės skaityti laiškelių. Grįžti bus galima vėl atvėrus savo nuorodą.',
      staff:
        'Praverčia, kai kompiuteriu naudojasi ir kiti: atsijungus niekas čia nebematys klasių. Grįžti bus galima vėl atvėrus savo nuorodą.',
    },
    ask: 'Atsijungti…',
    yes: 'Taip, atsijungti',
    no: 'Likti',
    offline: 'Šiuo metu nėra ryšio, todėl atsijungti nepavyko.',
    failed: 'Atsijungti nepavyko. Verta bandyti dar kartą.',
  },

  erase: {
    title: 'Ištrinti viską',
    goes: {
      student:
        'Pamokos, pokalbiai, kas iš jų įsiminta ir ką randa paieška, laiškeliai namams ir tai, ką čia apie mokinį užsirašė kiti, – viskas ištrinama visam laikui. Grįžti bus galima tik prisijungus iš naujo – kaip visai naujam mokiniui.',
      guardian:
        'Vardas, ryšys su vaiku ir duoti sutikimai – viskas ištrinama visam laikui. Be šių sutikimų laiškeliai neberašomi. Tai, ką čia nuveikė vaikas, lieka vaikui. Grįžti bus galima tik su nauja nuoroda.',
      staff:
        'Vardas, pokalbiai, užrašai apie mokinius ir ką juose randa paieška – viskas ištrinama visam laikui. Klasės ir mokinių darbai lieka, bet ši nuoroda jų nebeatvers.',
    },
    ask: 'Ištrinti viską…',
    question: 'Ištrinti viską visam laikui?',
    warning:
      'Tai negrįžtama: niekas čia nebegalės nieko sugrąžinti. Jei ką nors norisi pasilikti, pirmiausia reikia tai atsisiųsti.',
    no: 'Nieko netrinti',
    yes: 'Taip, ištrinti viską',
    erasing: 'Trinama. Tai gali šiek tiek užtrukti…',
    offline: 'Šiuo metu nėra ryšio, tad nežinia, ar kas nors ištrinta. Ryšiui grįžus reikia bandyti dar kartą.',
    failed: 'Atsakymo negauta, tad nežinia, ar viskas ištrinta. Reikia bandyti dar kartą.',
  },

  receipt: {
    title: 'Viskas ištrinta',
    erased: (count) => `Ištrinta: ${counted(language, count, entryForms)}.`,
    at: 'Kada',
    number: 'Patvirtinimo numeris',
    keep: 'Šį numerį verta pasilikti, jei kada reikėtų įrodyti, kad duomenys ištrinti.',
    signedOut: 'Dabar čia niekas neprisijungęs.',
    lost: 'Pirmasis prašymas buvo įvykdytas, tik jo atsakymas su patvirtinimo numeriu dingo kelyje. Numerį galima rasti mokyklos serverio žurnale.',
  },
};
