/** Characters by which texts are found: shorter ones are not looked for. */
const PREFIX = 4;

/**
 * Returns a function that finds the entries whose text a compact text contains, longest texts first. Texts are looked up by their first four characters, so
 * that thousands of names cost as much as a few.
 */
export function createTextFinder<Entry>(entries: Iterable<readonly [text: string, entry: Entry]>): (compact: string) => Entry[] {
  const byPrefix = new Map<string, { readonly text: string; readonly entry: Entry }[]>();
  for (const [text, entry] of entries) {
    if (text.length < PREFIX) continue;
    const prefix = text.slice(0, PREFIX);
    const group = byPrefix.get(prefix);
    if (group) group.push({ text, entry });
    else byPrefix.set(prefix, [{ text, entry }]);
  }
  if (byPrefix.size === 0) return () => [];
  return (compact) => {
    const found = new Map<Entry, number>();
    for (let index = 0; index + PREFIX <= compact.length; index += 1)
      for (const { text, entry } of byPrefix.get(compact.slice(index, index + PREFIX)) ?? [])
        if (compact.startsWith(text, index)) found.set(entry, Math.max(text.length, found.get(entry) ?? 0));
    return [...found].toSorted((one, other) => other[1] - one[1]).map(([entry]) => entry);
  };
}
