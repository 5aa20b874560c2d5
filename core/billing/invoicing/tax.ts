import type { Read } from '#core/database';
import { NO_PARTS, splitParts } from '#core/sales/payments';
import { INVOICE_PAYMENTS, type InvoiceRow } from './schema.ts';

/**
 * Returns the share of the tax that belongs to a payment, in minor units. It is split from what remains, so the payments of an invoice add up to its
 * tax exactly (decision record 76). Failed and voided payments have no share. Late fees have no tax and are paid last.
 */
export async function taxShare(read: Read, row: InvoiceRow, amountMinor: number): Promise<number> {
  if (row.tax_minor === 0) return 0;
  const payments = await read.find(INVOICE_PAYMENTS, { invoice_id: row.id });
  const taken = payments.filter(({ status }) => status === 'succeeded' || status === 'pending');
  const remainingTax = taken.reduce((left, { tax_minor }) => left - tax_minor, row.tax_minor);
  const remaining = Math.max(0, row.amount_minor - row.late_fee_minor - row.paid_minor - row.pending_minor);
  return splitParts(Math.min(amountMinor, remaining), remaining, { ...NO_PARTS, tax: remainingTax }).tax;
}
