/** Texts by their key, which is the English text. */
type Catalogue = Readonly<Record<string, string>>;
/** A list of strings: for each the number of characters that it shares with the string before it, and the rest. */
type SharedPrefixes = readonly [shared: string, rest: string];
/** All keys and all texts of a catalogue, in the same order, in the form that is smallest when it is compressed. */
export type CompactCatalogue = readonly [keys: string, texts: string, sharedByKeys: string, sharedByTexts: string];

/** Character between two keys or texts; none contains it. */
const SEPARATOR = '|';
/** A number of shared characters is one character, from `0` for none. */
const NONE_SHARED = '0'.charCodeAt(0);
const SHARED_MAX = 60;
/** Keys that share less than this are written whole. */
const SHARED_BY_KEYS_MIN = 2;

/** Returns a catalogue as a build writes it, in the order of its texts, in which it is smallest. @throws Error if a key or text contains the separator. */
export function compactCatalogue(catalogue: Catalogue): CompactCatalogue {
  const wrong = Object.entries(catalogue)
    .flat()
    .find((text) => text.includes(SEPARATOR));
  if (wrong !== undefined) throw new Error(`The text "${wrong}" contains ${SEPARATOR}.`);
  const entries = Object.entries(catalogue).toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const [sharedByKeys, keys] = compact(
    entries.map(([key]) => key),
    SHARED_BY_KEYS_MIN,
  );
  const [sharedByTexts, texts] = compact(entries.map(([, text]) => text));
  return [keys, texts, sharedByKeys, sharedByTexts];
}

/** Returns the catalogue that a build wrote. */
export function catalogueFrom([keys, texts, sharedByKeys, sharedByTexts]: CompactCatalogue): Catalogue {
  const values = expanded([sharedByTexts, texts]);
  return Object.fromEntries(expanded([sharedByKeys, keys]).map((key, index) => [key, values[index] ?? key]));
}

function compact(strings: readonly string[], sharedMin = 0): SharedPrefixes {
  let before = '';
  let numbers = '';
  const rest = strings.map((text) => {
    let shared = 0;
    while (shared < Math.min(SHARED_MAX, before.length) && before[shared] === text[shared]) shared += 1;
    if (shared < sharedMin) shared = 0;
    before = text;
    numbers += String.fromCharCode(NONE_SHARED + shared);
    return text.slice(shared);
  });
  return [numbers, rest.join(SEPARATOR)];
}

function expanded([numbers, rest]: SharedPrefixes): string[] {
  let before = '';
  return rest.split(SEPARATOR).map((text, index) => {
    before = before.slice(0, numbers.charCodeAt(index) - NONE_SHARED) + text;
    return before;
  });
}
