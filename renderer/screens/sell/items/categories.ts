import type { Item } from '#renderer/base/client';

/** Group of the items without a category. Categories have no line breaks. */
export const OTHER = '\n';

export const categoryOf = ({ category }: Item): string => category ?? OTHER;

/** Returns the groups of the buttons in the order of their first items, with the items without a category last; empty if no item has a category. */
export function categoriesOf(items: readonly Item[]): readonly string[] {
  const found = new Set(items.map(categoryOf));
  const hasOthers = found.delete(OTHER);
  return found.size === 0 ? [] : [...found, ...(hasOthers ? [OTHER] : [])];
}
