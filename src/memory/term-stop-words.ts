/** Only words of three letters or more stand here: shorter ones are never key terms. */
const english = `
  about above after again all also and any are because been before being below between both but can could did does
  doing down during each few for from further had has have having her here hers him his how into its itself just more
  most nor not now off once only other our ours out over own same she should some such than that the their theirs them
  then there these they this those through too under until very was were what when where which while who whom why will
  with would you your yours
`;

/** With their diacritics and, where that makes no other word, without: both are typed. */
const lithuanian = `
  man mane manęs mano manyje tau tave tavęs tavo jis jam juo jame jos jai joje jie jiems juos jais joms jomis mes mus
  mums mumis mūsų musu jūs jus jums jumis jūsų jusu save savęs sau savo pats pati patys pačios tas tam tuo tos tai tie
  tiems tuos tais toms tomis šis sis šio sio šiam siam šiuo siuo šią šios sios šie sie šių siu šiems šiuos čia cia ten
  kur kas kam kuo kada kai kaip kiek kodėl kodel koks kokia kokie kokios kokį kokią kuris kuri kurio kurios kurie kurių
  kuriu kurį kurią kuriame kurioje arba bei bet nes kad jog jei jeigu nors tačiau taciau todėl todel taigi tik tiktai
  dar jau vėl vel taip pat visi visos visa visas visų visu viską vis pagal prie prieš pries nuo per pro dėl del iki
  virš virs apie tarp ties anot esu esi yra esame esate buvo buvau buvome būti buti būna buna bus būtų butu nėra nera
  nebuvo gali galima reikia galėtų galetu turi turėti tureti labai gal net netgi juk štai nei tad
`;

const englishWords = wordsOf(english);
const bothWords = new Set([...englishWords, ...wordsOf(lithuanian)]);

/**
 * Words that say nothing of what a text is about, by language; where a language has none here, the English ones.
 * Lithuanian texts leave out both, since the logs and error messages in them are English; English texts keep what is a
 * stop word in Lithuanian only ("man", "bet").
 */
export function termStopWords(language: string): ReadonlySet<string> {
  return language === 'lt' ? bothWords : englishWords;
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/u));
}
