import { addDays, startOfDate, type TenantTime, tenantTime } from '#core/kernel';
import type { InvoiceRow } from './schema.ts';

/** The end of the day on which an invoice is due, in the merchant's zone; null for a link. */
export function deadlineOf({ due_date }: Pick<InvoiceRow, 'due_date'>, zone: string): number | null {
  return due_date === null ? null : startOfDate(zone, addDays(due_date, 1));
}

/** When an invoice as it stands is to become overdue: a draft, and what is closed or overdue, not any more. */
export function dueMsOf(row: Pick<InvoiceRow, 'due_date' | 'status'>, zone: string): TenantTime | null {
  const deadlineMs = row.status === 'sent' || row.status === 'partially_paid' ? deadlineOf(row, zone) : null;
  return deadlineMs === null ? null : tenantTime(deadlineMs);
}
