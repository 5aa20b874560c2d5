import { addDays, startOfDate, type TenantTime, tenantTime } from '#core/kernel';
import type { InvoiceRow } from './schema.ts';

/** Returns the end of the due date in the merchant's zone; null for a link. */
export function deadlineOf({ due_date }: Pick<InvoiceRow, 'due_date'>, zone: string): number | null {
  return due_date === null ? null : startOfDate(zone, addDays(due_date, 1));
}

/** Returns the time at which an invoice becomes overdue; null for drafts, closed and overdue invoices. */
export function overdueAtMs(row: Pick<InvoiceRow, 'due_date' | 'status'>, zone: string): TenantTime | null {
  const deadlineMs = row.status === 'sent' || row.status === 'partially_paid' ? deadlineOf(row, zone) : null;
  return deadlineMs === null ? null : tenantTime(deadlineMs);
}
