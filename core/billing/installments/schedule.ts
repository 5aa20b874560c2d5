import { dateOfPeriod } from '#core/billing/recurring';
import { addDays, type Currency, formatDecimal, type Money, majorUnit, money, parseDate, parseMoney, ServiceError } from '#core/kernel';

import type { ScheduledInstallment } from './records.ts';
import type { INTERVALS } from './schema.ts';

export const COUNT_MIN = 2;
export const COUNT_MAX = 60;
/** Latest date of an installment, in days from today. */
const AHEAD_MAX_DAYS = 3_653;

/** Installments of equal amounts with an interval, or a list of dates and amounts that add up to the amount due. */
export interface ScheduleInput {
  readonly count?: number;
  readonly interval?: (typeof INTERVALS)[number];
  /** YYYY-MM-DD; by default today. */
  readonly firstDate?: string;
  readonly installments?: readonly { readonly dueDate: string; readonly amount: string | number }[];
}

/** Divides an amount into equal parts of whole minor units. The first part takes the remainder. */
export function divide(minor: number, count: number): number[] {
  const part = Math.floor(minor / count);
  return Array.from({ length: count }, (_, index) => (index === 0 ? minor - part * (count - 1) : part));
}

/**
 * Returns the installments of an amount. @throws ServiceError REQUIRED_FIELD_MISSING on `count` or `interval`; INVALID_DATE and
 * VALIDATION_ERROR for dates in the past or out of order; INVALID_AMOUNT if the amounts differ from the amount due, or if one is below the
 * smallest amount of a payment.
 */
export function scheduleOf(input: ScheduleInput, due: Money, today: string): ScheduledInstallment[] {
  return input.installments === undefined ? equalInstallments(input, due, today) : givenInstallments(input, due, today);
}

function equalInstallments({ count, interval, firstDate }: ScheduleInput, due: Money, today: string): ScheduledInstallment[] {
  if (count === undefined) throw missing('count');
  if (interval === undefined) throw missing('interval');
  const first = firstDate === undefined ? today : dateFrom(firstDate, 'firstDate', today);
  const amounts = divide(due.minor, count);
  if (amounts.some((minor) => minor < majorUnit(due.currency)))
    throw new ServiceError('INVALID_AMOUNT', `${formatDecimal(due)} is too little for ${count} installments. Each must be at least 1.00.`, {
      field: 'count',
      details: { amountDue: due },
    });
  const installments = amounts.map((minor, index) => ({
    number: index + 1,
    dueDate: dateOfPeriod(first, interval, index),
    amount: money(minor, due.currency),
  }));
  dateFrom(installments.at(-1)?.dueDate ?? first, 'firstDate', today);
  return installments;
}

function givenInstallments({ installments = [], ...rest }: ScheduleInput, due: Money, today: string): ScheduledInstallment[] {
  const other = (['count', 'interval', 'firstDate'] as const).find((field) => rest[field] !== undefined);
  if (other !== undefined)
    throw new ServiceError('VALIDATION_ERROR', `\`${other}\` and \`installments\` exclude each other.`, { field: other });
  const parsed = installments.map(({ dueDate, amount }, index) => ({
    number: index + 1,
    dueDate: dateFrom(dueDate, `installments.${index}.dueDate`, today),
    amount: installmentAmount(amount, due.currency, `installments.${index}.amount`),
  }));
  const outOfOrder = parsed.findIndex(({ dueDate }, index) => index > 0 && dueDate <= (parsed[index - 1]?.dueDate ?? ''));
  if (outOfOrder > 0)
    throw new ServiceError('VALIDATION_ERROR', 'Each installment must have a later date than the one before.', {
      field: `installments.${outOfOrder}.dueDate`,
    });
  const sum = money(
    parsed.reduce((total, { amount }) => total + amount.minor, 0),
    due.currency,
  );
  if (sum.minor === due.minor) return parsed;
  throw new ServiceError('INVALID_AMOUNT', `The installments add up to ${formatDecimal(sum)}, but ${formatDecimal(due)} is due.`, {
    field: 'installments',
    details: { amountDue: due, sumOfInstallments: sum },
  });
}

function installmentAmount(text: string | number, currency: Currency, field: string): Money {
  const amount = parseMoney(text, currency, field);
  if (amount.minor >= majorUnit(currency)) return amount;
  throw new ServiceError('INVALID_AMOUNT', 'Each installment must be at least 1.00.', { field });
}

function dateFrom(text: string, field: string, today: string): string {
  const date = parseDate(text, field);
  if (date < today)
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must not be in the past. Today is ${today} for this merchant.`, { field });
  if (date <= addDays(today, AHEAD_MAX_DAYS)) return date;
  throw new ServiceError('VALIDATION_ERROR', 'The last installment must be within ten years.', { field });
}

const missing = (field: string) => new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required.`, { field });
