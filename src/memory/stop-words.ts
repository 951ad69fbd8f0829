/**
 * Folded words that tell nothing of what a text is about, in English and in Lithuanian, and what an apostrophe cuts
 * off. A word of one language that means something in the other is left out: "bet", "man", "save", "ten".
 */
export const stopWords: ReadonlySet<string> = new Set(
  [
    'a about an and are as at be been but by can could did do does for from had has have he her him his how i if in is',
    'it its me my no not of on or our she should so than that the their them then there they this to too us was we',
    'were what when where which who why will with would you your',
    's t d m ll re ve',
    'ir kad tai o ar is su apie kaip kas ka ko kam kur kada kodel kuris kuri yra buvo bus esu esi as tu jis ji mes jus',
    'jie jos jo ju mano tavo savo musu jusu mus mums tau jam jai jiems del nuo iki uz per pas po be prie ne ner nera',
    'jau dar tik taip cia kai jei nes tas ta tos to tuo sis si sio sios bei arba taciau nors gal vis labai',
  ].flatMap((line) => line.split(' ')),
);
