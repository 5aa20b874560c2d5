/** The calendar day of an instant in a zone, YYYY-MM-DD. */
export function dayIn(timeZone: string, atMs: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(atMs);
}
