/**
 * Returns a ZIP code of the United States as `04101` or `04101-1234`, also if a spreadsheet removed zeros at its beginning or the hyphen; null if the text is
 * no ZIP code.
 */
export function usZip(text: string): string | null {
  const [, main, rest = ''] = /^(\d{3,9}?)(?:\s*-\s*(\d{4}))?$/.exec(text.trim()) ?? [];
  if (main === undefined) return null;
  if (main.length <= 5) return `${main.padStart(5, '0')}${rest && `-${rest}`}`;
  const whole = main.padStart(9, '0');
  return main.length < 7 || rest !== '' ? null : `${whole.slice(0, 5)}-${whole.slice(5)}`;
}
