import type { UnsettledMovement } from '#core/books/disputes';
import { type Currency, type Money, money } from '#core/kernel';
import type { MerchantSettings } from '#core/processing/merchants';
import type { UnsettledLine } from '#core/sales/payments';
import { feeOf } from './fees.ts';
import type { SettlementRow } from './schema.ts';

/** The fee rates of a merchant, and the currency of their fixed parts and caps. */
export type Rates = Pick<MerchantSettings, 'cardFee' | 'achFee'> & { readonly currency: Currency };

/** A line that belongs to no settlement yet. */
export type SettleableLine = UnsettledLine | UnsettledMovement;

/** Returns the fee of one line. Captures cost a fee; refunds and disputes cost nothing and return none. */
export function feeFor(line: SettleableLine, { cardFee, achFee, currency }: Rates): Money {
  const { amount } = line;
  if (line.kind !== 'transaction') return money(0, amount.currency);
  const rate = line.isCard ? cardFee : achFee;
  // The fixed part and the cap are amounts in the merchant's currency, so another currency pays the percentage only.
  return feeOf(amount, amount.currency === currency ? rate : { percent: rate.percent, fixed: 0, cap: null });
}

/** Returns a settlement with the amounts, fees and counts of more lines added. All lines have the settlement's currency. */
export function withLines(row: SettlementRow, lines: readonly SettleableLine[], rates: Rates, at: string): SettlementRow {
  const next = { ...row, updated_at: at };
  for (const line of lines) {
    if (line.kind === 'refund') {
      next.refunds_minor += line.amount.minor;
      next.refund_count += 1;
    } else if (line.kind === 'dispute') {
      next.disputes_minor += line.amount.minor;
      next.dispute_count += 1;
    } else {
      next.captures_minor += line.amount.minor;
      next.transaction_count += 1;
      next.fees_minor += feeFor(line, rates).minor;
    }
  }
  return next;
}
