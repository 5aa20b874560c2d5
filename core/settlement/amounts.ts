import { type Currency, type Money, money } from '#core/kernel';
import type { MerchantSettings } from '#core/merchants';
import type { Unsettled } from '#core/payments';
import { feeOf } from './fees.ts';
import type { SettlementRow } from './schema.ts';

/** The fee rates of a merchant, and the currency of their fixed parts and caps. */
export type Rates = Pick<MerchantSettings, 'cardFee' | 'achFee'> & { readonly currency: Currency };

/** Returns the fee of one line. Captures cost a fee; a refund costs nothing and returns none (decisions 11). */
export function feeFor({ kind, isCard, amount }: Unsettled, { cardFee, achFee, currency }: Rates): Money {
  if (kind === 'refund') return money(0, amount.currency);
  const rate = isCard ? cardFee : achFee;
  // The fixed part and the cap are amounts in the merchant's currency, so another currency pays the percentage only.
  return feeOf(amount, amount.currency === currency ? rate : { percent: rate.percent, fixed: 0, cap: null });
}

/** Returns a settlement with the amounts, fees and counts of more lines added. All lines have the settlement's currency. */
export function grow(row: SettlementRow, lines: readonly Unsettled[], rates: Rates, at: string): SettlementRow {
  const grown = { ...row, updated_at: at };
  for (const line of lines) {
    if (line.kind === 'refund') {
      grown.refunds_minor += line.amount.minor;
      grown.refund_count += 1;
    } else {
      grown.captures_minor += line.amount.minor;
      grown.transaction_count += 1;
      grown.fees_minor += feeFor(line, rates).minor;
    }
  }
  return grown;
}
