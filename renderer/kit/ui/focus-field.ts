/**
 * Focuses the first of these elements that is on the page, by ID, and selects the text of an input as the Tab key does.
 * Does nothing if none is on the page.
 */
export function focusField(...ids: readonly string[]): void {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null);
  element?.focus();
  // A date field passes the focus on to one of its parts.
  if (element instanceof HTMLInputElement && element.type === 'text' && element === document.activeElement) element.select();
}
