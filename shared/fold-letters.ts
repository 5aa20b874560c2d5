/** Letters that Unicode does not decompose, and the letters with which people without them on their keyboard write a name. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};
const BASIC_TEXT = /^[\x20-\x7e]*$/;
const OTHER_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Returns a text in lower case and in basic letters, so that "Łukasz" and "lukasz", "Straße" and "strasse" are equal. */
export function foldLetters(text: string): string {
  if (BASIC_TEXT.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // The lower case of İ has a mark of its own.
  return lower.replace(/\p{M}/gu, '').replace(OTHER_LETTER, (letter) => LETTERS[letter] ?? letter);
}
