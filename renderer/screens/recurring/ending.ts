/** Values of a subscription's end. */
export interface EndForm {
  readonly kind: 'never' | 'date' | 'count';
  readonly date: string;
  readonly count: string;
}

export const NO_END: EndForm = { kind: 'never', date: '', count: '' };

const COUNT_MAX = 10_000;

/** Returns the problem of an end, or null. */
export function endProblem({ kind, date, count }: EndForm, notBefore: string, above: number): string | null {
  if (kind === 'date') {
    if (date === '') return 'Enter the last day.';
    return date < notBefore ? 'The last day is before the first payment.' : null;
  }
  if (kind === 'never') return null;
  const number = /^\d{1,5}$/.test(count) ? Number(count) : 0;
  if (number < 1 || number > COUNT_MAX) return `Enter a whole number from 1 to ${COUNT_MAX.toLocaleString('en-US')}.`;
  return number <= above ? `${above} were made already; enter more.` : null;
}

/** The end as the service takes it. */
export function endOf({ kind, date, count }: EndForm): { endDate?: string; totalPayments?: number } {
  if (kind === 'date') return { endDate: date };
  return kind === 'count' ? { totalPayments: Number(count) } : {};
}
