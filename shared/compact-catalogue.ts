/** Texts by their key, which is the English text. */
type Catalogue = Readonly<Record<string, string>>;
/** All keys and all texts of a catalogue, in the same order, in the form that is smallest when it is compressed. */
export type CompactCatalogue = readonly [keys: string, texts: string];

/** Character between two keys or texts; none contains it. */
const SEPARATOR = '~';
/** A key begins with a character for the number of characters that it shares with the key before it, from `0` for none. */
const NONE_SHARED = '0'.charCodeAt(0);
const SHARED_MAX = 60;

/** Returns a catalogue as a build writes it. @throws Error if a key or text contains the separator. */
export function compactCatalogue(catalogue: Catalogue): CompactCatalogue {
  const entries = Object.entries(catalogue);
  const wrong = entries.flat().find((text) => text.includes(SEPARATOR));
  if (wrong !== undefined) throw new Error(`The text "${wrong}" contains ${SEPARATOR}.`);
  let before = '';
  const keys = entries.map(([key]) => {
    let shared = 0;
    while (shared < Math.min(SHARED_MAX, before.length) && before[shared] === key[shared]) shared += 1;
    before = key;
    return String.fromCharCode(NONE_SHARED + shared) + key.slice(shared);
  });
  return [keys.join(SEPARATOR), entries.map(([, text]) => text).join(SEPARATOR)];
}

/** Returns the catalogue that a build wrote. */
export function catalogueFrom([keys, texts]: CompactCatalogue): Catalogue {
  const values = texts.split(SEPARATOR);
  let before = '';
  const entries = keys.split(SEPARATOR).map((key, index): [string, string] => {
    before = before.slice(0, key.charCodeAt(0) - NONE_SHARED) + key.slice(1);
    return [before, values[index] ?? before];
  });
  return Object.fromEntries(entries);
}
