import { foldLetters } from '#shared/fold-letters';

const WORDS_MAX = 6;
const KEY_LENGTH_MAX = 60;

const wordsOf = (text: string): string[] =>
  foldLetters(text.replace(/['’]/g, ''))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
/** Returns words in hexadecimal, which every database sorts in the same way. */
const keyOf = (words: readonly string[]): string | null =>
  words.length === 0 ? null : Buffer.from(words.join(' ').slice(0, KEY_LENGTH_MAX)).toString('hex');

/** Columns by which a payment is found by a name: the name from its first, its second and its last word on, in basic letters. */
export interface NameKeys {
  readonly name_key: string | null;
  readonly second_name_key: string | null;
  readonly last_name_key: string | null;
}

export function nameKeys(name: string | null | undefined): NameKeys {
  const words = wordsOf(name ?? '').slice(0, WORDS_MAX);
  return {
    name_key: keyOf(words),
    second_name_key: keyOf(words.slice(1)),
    last_name_key: keyOf(words.length > 2 ? words.slice(-1) : []),
  };
}

export const NAME_COLUMNS = ['name_key', 'second_name_key', 'last_name_key'] as const satisfies (keyof NameKeys)[];

/**
 * Returns the ranges of keys that a search text finds, `to` exclusive: the beginning of a name from one of these words on, also with the last name first;
 * none for a text without letters.
 */
export function nameRanges(text: string): { readonly from: string; readonly to: string }[] {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  if (!words.some((word) => /\p{L}{2}/u.test(word))) return [];
  const [first = '', ...rest] = words;
  const keys = new Set([keyOf(words), keyOf([...rest, first])].filter((key) => key !== null));
  // The last hexadecimal digit is f, so `g` sorts after all of them.
  return [...keys].map((from) => ({ from, to: `${from}g` }));
}
