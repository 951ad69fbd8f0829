/**
 * Letters of other scripts, and forms that no normalisation undoes, that a reader takes for a Latin letter. Each row is
 * the Latin letter and the characters that look like it. Capitals and small letters are listed apart because they may
 * look like different letters (Greek Η is an H, η an n).
 */
export const confusables: Readonly<Record<string, string>> = {
  a: 'аАαΑɑɐᴀꭺᎪꓮᗅ∀🅰ⱥȺƛ',
  b: 'вВьЬБбβΒʙᴃƀɃɓᏴꓐᗷƄƅ🅱Ꮟ',
  c: 'сСϲϹᴄɔƈꓚᏟⅽȼȻ',
  d: 'ԁԀđĐɖɗᴅᎠꓓᗪƌ',
  e: 'еЕєЄεΕɛəәΕҽᴇꓰᎬǝɘ℮ɇΞξ',
  f: 'ƒꜰϝϜꓝҒғ',
  g: 'ɡɢԍԌᏀᏳꓖǥɠց',
  h: 'нНһҺΗʜħĦɦɥհᎻꓧⱨҥ',
  i: 'іІιΙıɩɪᎥꓲɨƗї',
  j: 'јЈʝᴊᎫꓙɉյ',
  k: 'кКκΚᴋƙꓗᏦʞқҚ',
  l: 'łŁʟᏞꓡƚɫɭլ∟',
  m: 'мМΜᴍɱᎷꓟɯ',
  n: 'пПΝηɴɲŋꓠոռиИ',
  o: 'оОοΟσᴏøØɵօՕꓳόθΘ',
  p: 'рРρΡᴘþƥᏢꓑ',
  q: 'ԛԚʠɋզ',
  r: 'гГʀɹɍᴦᎡᏒꓣяЯ',
  s: 'ѕЅꜱʂᏕꓢՏ',
  t: 'тТτΤᴛŧŦʇƭᎢꓔ',
  u: 'υυᴜʉսꓴցμ',
  v: 'νѵѴᴠʌꓦᏙ',
  w: 'ѡԝԜωᴡɯʍᏔᎳꓪшШ',
  x: 'хХχΧꓫ',
  y: 'уУγΥʏʎүҮꓬᎩ',
  z: 'ΖζᴢʐƶꓜᏃ',
};

/** Signs by the character they are taken for; an upright bar of another script may be an i or an l, as a 1 may. */
export const signs: Readonly<Record<string, string>> = {
  "'": "'’‘ʼʹʻ´′＇‛ʾˈ",
  '.': '.．․',
  '@': '@＠﹫',
  $: '$＄﹩',
  '!': '!！¡ǃ﹗',
  '|': '|｜ǀ∣',
  '+': '+＋﹢',
  '1': 'ӏӀⵏ',
  '*': '*＊﹡_＿`｀~～',
};

/** Letters that stand for two. */
export const ligatures: Readonly<Record<string, string>> = { ß: 'ss', ẞ: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe' };
