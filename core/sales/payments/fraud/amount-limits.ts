import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { amountAboveLimit, type Currency, type Money, majorUnit, money, toNumber } from '#core/kernel';
import type { FraudSettings, Merchant } from '#core/processing/merchants';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';

const queries = queriesOn(TRANSACTIONS);

type Limits = Pick<FraudSettings, 'maxAmount' | 'maxAmountCurrency' | 'maxAmountByCurrency' | 'maxCreditsPerDay'>;

/**
 * Returns the reason why the new total of a payment is above the merchant's limit; null if it is not. Every operation that raises what is charged or
 * paid out compares its new total.
 */
export function reasonAboveLimit(limits: Limits, total: Money, ownCurrency: Currency): string | null {
  const limit = limitOf(limits, limits.maxAmount, total.currency, ownCurrency);
  return limit === null ? null : reasonAbove(limit, total, (shown) => `The amount exceeds the merchant's limit of ${shown}.`);
}

/** @throws ServiceError INVALID_AMOUNT (422) with `details.reason` `merchant_limit` if a new total is above the merchant's limit. */
export function checkMerchantLimit({ fraud, currency }: Pick<Merchant, 'fraud' | 'currency'>, total: Money): void {
  const reason = reasonAboveLimit(fraud, total, currency);
  if (reason !== null) throw amountAboveLimit(reason, { reason: 'merchant_limit', requestedAmount: total });
}

/**
 * Checks a credit against the merchant's limits of an amount and of a day. The merchant is locked, so that parallel credits count each other.
 * @throws ServiceError INVALID_AMOUNT (422) with `details.reason` `merchant_limit` or `merchant_credits_limit`.
 */
export function checkCreditLimits(merchant: Pick<Merchant, 'fraud' | 'currency'>, amount: Money, ofDay: Money): void {
  checkMerchantLimit(merchant, amount);
  const { fraud, currency } = merchant;
  const limit = limitOf(fraud, fraud.maxCreditsPerDay ?? fraud.maxAmount, amount.currency, currency);
  const messageOf = (shown: string) => `With this credit, the credits of today exceed the merchant's limit of ${shown}.`;
  const reason = limit === null ? null : reasonAbove(limit, ofDay, messageOf);
  if (reason !== null) throw amountAboveLimit(reason, { reason: 'merchant_credits_limit', requestedAmount: amount, creditsOfDay: ofDay });
}

/** Returns the sum of the merchant's credits of a day in one currency, with a new one. */
export async function creditsOfDay(work: Work, { merchant_id, day, currency }: TransactionRow, amount: Money): Promise<Money> {
  const credited = await work.row(
    queries
      .selectFrom('transactions')
      .select(({ fn }) => fn.sum<number | null>('amount_minor').as('sum'))
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchant_id)
      .where('day', '=', day)
      .where('type', '=', lit('credit'))
      .where('currency', '=', currency)
      .where('status', 'in', [lit('approved'), lit('pending')]),
  );
  return money(Number(credited?.sum ?? 0) + amount.minor, amount.currency);
}

/** `none`: the merchant limits amounts, but has no limit in this currency. */
type Limit = number | 'none';

/**
 * Returns the limit in a currency; null without one. While there is a limit, a currency without one is refused, because amounts are not converted: 500
 * means neither 500 JPY nor 500 KWD.
 */
function limitOf(
  { maxAmountCurrency, maxAmountByCurrency }: Limits,
  amount: number | null,
  currency: Currency,
  ownCurrency: Currency,
): Limit | null {
  const ofCurrency = maxAmountByCurrency[currency];
  if (currency === (maxAmountCurrency ?? ownCurrency)) return amount ?? ofCurrency ?? null;
  return ofCurrency ?? (amount === null ? null : 'none');
}

/** Returns the merchant's limit of a payment in minor units of a currency; null without one. */
export function amountLimit({ fraud, currency: ownCurrency }: Pick<Merchant, 'fraud' | 'currency'>, currency: Currency): number | null {
  const limit = limitOf(fraud, fraud.maxAmount, currency, ownCurrency);
  if (limit === null) return null;
  return limit === 'none' ? 0 : Math.round(limit * majorUnit(currency));
}

function reasonAbove(limit: Limit, sum: Money, messageOf: (shown: string) => string): string | null {
  if (limit === 'none') return `The merchant limits amounts, but has no limit for payments in ${sum.currency}.`;
  return toNumber(sum) > limit ? messageOf(`${limit} ${sum.currency}`) : null;
}
