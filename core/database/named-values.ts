/** Any number of values as parameters of a statement, and the names to put where they are to stand, in `IN (…)` or `VALUES (…)`. */
export function namedValues(values: readonly string[]): { readonly names: readonly string[]; readonly params: Record<string, string> } {
  const params = Object.fromEntries(values.map((value, index) => [`value${index}`, value]));
  return { names: Object.keys(params).map((name) => `:${name}`), params };
}
