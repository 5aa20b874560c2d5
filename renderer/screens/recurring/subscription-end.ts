import { numberText, t } from '#renderer/base/language';

/** Values of a subscription's end. */
export interface EndForm {
  readonly kind: 'never' | 'date' | 'count';
  readonly date: string;
  readonly count: string;
}

export const NO_END: EndForm = { kind: 'never', date: '', count: '' };

const COUNT_MAX = 10_000;

/** Returns the problem of an end, or null. `notBefore` is the earliest end date. */
export function endProblem({ kind, date, count }: EndForm, notBefore: string, paymentsMade: number): string | null {
  if (kind === 'date') {
    if (date === '') return t('Enter the end date.');
    return date < notBefore ? t('The end date is before the first payment.') : null;
  }
  if (kind === 'never') return null;
  const number = /^\d{1,5}$/.test(count) ? Number(count) : 0;
  if (number < 1 || number > COUNT_MAX) return t('Enter a whole number from 1 to {{maximum}}.', { maximum: numberText(COUNT_MAX) });
  return number <= paymentsMade ? t('{{count, number}} payments were already made. Enter a higher number.', { count: paymentsMade }) : null;
}

/** Returns the end in the form of the API. */
export function endOf({ kind, date, count }: EndForm): { endDate?: string; totalPayments?: number } {
  if (kind === 'date') return { endDate: date };
  return kind === 'count' ? { totalPayments: Number(count) } : {};
}
