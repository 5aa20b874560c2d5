import { addDays, dateIn, majorUnit } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { latestOf, OPEN } from '../daily-run.ts';
import type { InvoiceRow } from '../schema.ts';
import type { FeeFacts } from './schedule.ts';
import type { LateFeeExemptionRow, LateFeeRow } from './schema.ts';

/** Reasons of ended reminders for which no late fee is charged either. */
const NEVER_CHARGED: ReadonlySet<InvoiceRow['reminders_stop_reason']> = new Set(['dispute', 'installments', 'customer_deleted']);

export const isStopped = ({ reminders_stop_reason: reason }: Pick<InvoiceRow, 'reminders_stop_reason'>): boolean =>
  reason !== null && NEVER_CHARGED.has(reason);

/** Facts about an invoice beside its row. */
interface Beside {
  readonly fees: readonly LateFeeRow[];
  /** Choices for the invoice and its customer. */
  readonly choices: readonly LateFeeExemptionRow[];
  /** First day on which fees of the merchant are charged. */
  readonly sinceDay: string;
  readonly zone: string;
  /** True if the invoice has an open installment plan. */
  readonly isInInstallments: boolean;
}

/** Returns the facts by which the late fees of an invoice are scheduled; null if it is charged none in its present state. */
export function factsOf(row: InvoiceRow, { fees, choices, sinceDay, zone, isInInstallments }: Beside): FeeFacts | null {
  const isOpen = (OPEN as readonly string[]).includes(row.status);
  if (row.kind !== 'invoice' || !isOpen || row.due_date === null || row.sent_at === null || row.pending_minor > 0) return null;
  if (isInInstallments || isStopped(row) || choices.some(({ is_off }) => is_off === 1)) return null;
  const sentDay = dateIn(zone, Date.parse(row.sent_at));
  const amountMinor = row.amount_minor - row.late_fee_minor;
  return {
    dueDate: row.due_date,
    currency: row.currency,
    amountMinor,
    unpaidMinor: amountMinor - row.paid_minor,
    feesMinor: row.late_fee_minor,
    lastPeriod: Math.max(0, ...fees.map(({ period }) => period)),
    promisedDate: row.promised_date,
    sinceDay: latestOf(sinceDay, addDays(sentDay, 1), row.reminders_since_day, ...choices.map((choice) => choice.since_day)),
  };
}

/** Returns the currency of a merchant and its fixed fee in minor units. */
export function fixedFeeOf({ currency, lateFees }: Merchant): { readonly currency: string; readonly fixedMinor: number } {
  return { currency, fixedMinor: Math.round(lateFees.amount * majorUnit(currency)) };
}
