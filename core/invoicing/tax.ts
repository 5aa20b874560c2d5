import type { Read } from '#core/database';
import { type Money, parseMoneyOrZero, ServiceError } from '#core/kernel';
import { NO_PARTS, splitParts } from '#core/payments';
import { INVOICE_PAYMENTS, type InvoiceRow } from './schema.ts';

/**
 * Returns the tax of an invoice in minor units: the stated one, or else the former one. @throws ServiceError INVALID_AMOUNT if it exceeds the amount.
 */
export function taxFrom(stated: string | number | undefined, amount: Money, before = 0): number {
  const tax = stated === undefined ? before : parseMoneyOrZero(stated, amount.currency, 'taxAmount').minor;
  if (tax <= amount.minor) return tax;
  throw new ServiceError('INVALID_AMOUNT', '`taxAmount` exceeds `amount`, of which it is a part.', { field: 'taxAmount' });
}

/**
 * Returns the share of the tax that belongs to a payment, in minor units. It is split from what remains, so the payments of an invoice add up to its
 * tax exactly (decision record 76). Failed and voided payments have no share.
 */
export async function taxShare(read: Read, row: InvoiceRow, amountMinor: number): Promise<number> {
  if (row.tax_minor === 0) return 0;
  const payments = await read.find(INVOICE_PAYMENTS, { invoice_id: row.id });
  const taken = payments.filter(({ status }) => status === 'succeeded' || status === 'pending');
  const remainingTax = taken.reduce((left, { tax_minor }) => left - tax_minor, row.tax_minor);
  const remaining = row.amount_minor - row.paid_minor - row.pending_minor;
  return splitParts(amountMinor, remaining, { ...NO_PARTS, tax: remainingTax }).tax;
}
