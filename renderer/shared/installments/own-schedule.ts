import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';

/** An installment whose date and amount a person enters. */
export interface OwnInstallment {
  /** Identifies the row while others are removed. */
  readonly id: number;
  /** YYYY-MM-DD, or empty. */
  readonly dueDate: string;
  readonly amount: string;
}

/** First problem of a schedule, at a field of one of its installments. */
export interface ScheduleProblem {
  readonly id: number;
  readonly field: 'date' | 'amount';
  readonly text: string;
}

interface Terms {
  readonly amountDue: number;
  readonly currency: string;
  /** Present day of the merchant. */
  readonly today: string;
}

/** Returns the amount due less the readable amounts of a schedule, in minor units. */
export function unplannedMinor(
  installments: readonly OwnInstallment[],
  { amountDue, currency }: Pick<Terms, 'amountDue' | 'currency'>,
): number {
  return installments.reduce(
    (rest, { amount }) => {
      const reading = readAmount(amount, currency);
      return reading.kind === 'valid' ? rest - toMinor(Number(reading.decimal), currency) : rest;
    },
    toMinor(amountDue, currency),
  );
}

/** Returns the first problem of a schedule; null if it can be charged. Dates ascend, and the amounts add up to the amount due. */
export function scheduleProblem(installments: readonly OwnInstallment[], terms: Terms): ScheduleProblem | null {
  const { currency, today } = terms;
  let before = '';
  for (const { id, dueDate, amount } of installments) {
    if (dueDate === '') return { id, field: 'date', text: t('Enter a date.') };
    if (dueDate < today) return { id, field: 'date', text: t('The date is in the past.') };
    if (dueDate <= before) return { id, field: 'date', text: t('The date must be after the one before.') };
    before = dueDate;
    const problem = amountProblem(amount, currency);
    if (problem !== null) return { id, field: 'amount', text: problem };
  }
  const rest = unplannedMinor(installments, terms);
  const last = installments.at(-1);
  if (rest === 0 || last === undefined) return null;
  const text =
    rest > 0
      ? t('{{amount}} is missing.', { amount: writeMoney(decimalText(rest, currency), currency) })
      : t('{{amount}} is too much.', { amount: writeMoney(decimalText(-rest, currency), currency) });
  return { id: last.id, field: 'amount', text };
}
