import type { Payment } from '#renderer/base/client';
import { customerOf, paidWith } from '#renderer/shared/receipt';
import { tenderText } from './texts.ts';

/** Returns the customer of a payment of any kind: name, or else email address, or an empty text. */
export function payerOf({ transaction, tender }: Payment): string {
  return tender ? (tender.customerName ?? tender.customerEmail ?? '') : customerOf(transaction);
}

/** Returns the method of a payment of any kind: "Visa ••1111", "Check 1042". */
export function methodOf({ transaction, tender }: Payment): string {
  if (tender) return tenderText(tender);
  return transaction ? paidWith(transaction) : '';
}
