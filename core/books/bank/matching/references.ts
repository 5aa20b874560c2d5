const REFERENCE_CHARS = 10;
/** Characters of references of payouts, which have no digits that look like letters. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CHAR_BITS = 5;
/** Characters at the end of a reference whose bits are the index of a bitmap of 4 MiB. */
const TAIL_BITS = 5 * CHAR_BITS;
const TAIL_MASK = 2 ** TAIL_BITS - 1;
const WORD_BITS = 5;
const NONE = -1;

/** Values of characters by their code; `NONE` for those that no reference has. */
const VALUES = new Int8Array(128).fill(NONE);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;

/** Yields the end of each part of a text that has the length and the characters of a reference, with the bits of its tail. */
function eachTail(text: string, use: (end: number, tail: number) => void): void {
  let tail = 0;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? NONE;
    length = value === NONE ? 0 : length + 1;
    tail = ((tail << CHAR_BITS) | value) & TAIL_MASK;
    if (length >= REFERENCE_CHARS) use(index + 1, tail);
  }
}

/**
 * Returns a function that finds those of the given references that a text in capitals without spaces contains, each once. Most parts of a text are no
 * references, which a bitmap of the ends of all references shows without a look-up.
 */
export function createReferenceFinder(references: Iterable<string>): (compact: string) => ReadonlySet<string> {
  const known = new Set(references);
  const tails = new Int32Array(2 ** (TAIL_BITS - WORD_BITS));
  const bitOf = (tail: number) => 1 << (tail & (2 ** WORD_BITS - 1));
  for (const reference of known)
    eachTail(reference, (_, tail) => {
      tails[tail >>> WORD_BITS] = (tails[tail >>> WORD_BITS] ?? 0) | bitOf(tail);
    });
  return (compact) => {
    const found = new Set<string>();
    eachTail(compact, (end, tail) => {
      if (((tails[tail >>> WORD_BITS] ?? 0) & bitOf(tail)) === 0) return;
      const part = compact.slice(end - REFERENCE_CHARS, end);
      if (known.has(part)) found.add(part);
    });
    return found;
  };
}
