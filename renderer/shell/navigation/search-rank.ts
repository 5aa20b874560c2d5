/** A text that people look for by its name or by other words. */
export interface Searched {
  readonly label: string;
  readonly words?: string;
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Returns 0 if the label begins with the text, 1 if its words begin with those of the text, 2 if other words do, and 3 if it does not match. */
function rankOf({ label, words = '' }: Searched, typed: string): number {
  const [name, text] = [label.toLowerCase(), typed.toLowerCase()];
  if (name.startsWith(text)) return 0;
  const parts = wordsOf(text);
  const isIn = (all: readonly string[]) => parts.length > 0 && parts.every((part) => all.some((word) => word.startsWith(part)));
  if (isIn(wordsOf(name))) return 1;
  return isIn(wordsOf(`${name} ${words.toLowerCase()}`)) ? 2 : 3;
}

/** Returns the options that match a text, the best first. */
export const matchesOf = <Option extends Searched>(options: readonly Option[], typed: string): readonly Option[] =>
  [0, 1, 2].flatMap((rank) => options.filter((option) => rankOf(option, typed) === rank));
