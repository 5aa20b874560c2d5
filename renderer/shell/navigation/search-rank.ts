/** A text that people look for by its name or by other words. */
export interface Searched {
  readonly label: string;
  readonly words?: string;
}

/** Returns 0 if the label begins with the text, 1 if it contains its words, 2 if other words do, and 3 if it does not match. */
function rankOf({ label, words = '' }: Searched, typed: string): number {
  const [name, text] = [label.toLowerCase(), typed.toLowerCase()];
  if (name.startsWith(text)) return 0;
  const parts = text.split(/\s+/);
  if (parts.every((part) => name.includes(part))) return 1;
  const all = `${name} ${words.toLowerCase()}`.split(/\s+/);
  return parts.every((part) => all.some((word) => word.startsWith(part))) ? 2 : 3;
}

/** Returns the options that match a text, the best first. */
export const matchesOf = <Option extends Searched>(options: readonly Option[], typed: string): readonly Option[] =>
  [0, 1, 2].flatMap((rank) => options.filter((option) => rankOf(option, typed) === rank));
