import { parseCurrency, parseMoney, ServiceError } from '#core/kernel';
import type { FraudSettings } from './settings.ts';

type Limits = Pick<FraudSettings, 'maxAmount' | 'maxAmountCurrency' | 'maxAmountByCurrency'>;

/**
 * Returns a change of fraud rules as it is stored: with the currency of a changed limit, by default that of the merchant, so that a later change of it
 * does not change the limit. @throws ServiceError VALIDATION_ERROR for a currency with two limits, INVALID_CURRENCY, INVALID_AMOUNT for more decimals
 * than a currency has.
 */
export function fraudChangeFrom(before: FraudSettings, change: Partial<FraudSettings>, currency: string): Partial<FraudSettings> {
  const { maxAmount, maxAmountCurrency, maxAmountByCurrency } = change;
  const isLimitChanged = maxAmount !== undefined || maxAmountCurrency != null;
  const stored = {
    ...change,
    ...(isLimitChanged && { maxAmountCurrency: maxAmount === null ? null : (maxAmountCurrency ?? currency).toUpperCase() }),
    ...(maxAmountByCurrency && { maxAmountByCurrency: byCurrencyFrom(maxAmountByCurrency) }),
  };
  const after = { ...before, ...stored };
  checkAmounts(after);
  if (isLimitChanged || maxAmountByCurrency !== undefined) refuseSecondLimit(after, currency);
  return stored;
}

function byCurrencyFrom(amounts: Limits['maxAmountByCurrency']): Record<string, number> {
  const entries = Object.entries(amounts).map(([code, amount]): [string, number] => [code.toUpperCase(), amount]);
  const repeated = entries.find(([code], index) => entries.findIndex(([other]) => other === code) < index);
  if (repeated === undefined) return Object.fromEntries(entries);
  const [code] = repeated;
  throw new ServiceError('VALIDATION_ERROR', `\`maxAmountByCurrency\` names ${code} twice.`, { field: `maxAmountByCurrency.${code}` });
}

function checkAmounts({ maxAmount, maxAmountCurrency, maxAmountByCurrency }: Limits): void {
  if (maxAmountCurrency !== null && maxAmount !== null)
    parseMoney(maxAmount, parseCurrency(maxAmountCurrency, 'maxAmountCurrency'), 'maxAmount');
  for (const [code, amount] of Object.entries(maxAmountByCurrency)) {
    const field = `maxAmountByCurrency.${code}`;
    parseMoney(amount, parseCurrency(code, field), field);
  }
}

function refuseSecondLimit({ maxAmount, maxAmountCurrency, maxAmountByCurrency }: Limits, currency: string): void {
  const code = maxAmountCurrency ?? currency;
  if (maxAmount === null || !Object.hasOwn(maxAmountByCurrency, code)) return;
  const message = `\`maxAmountByCurrency\` names ${code}, the currency of \`maxAmount\`. Leave it out, or change \`maxAmount\`.`;
  throw new ServiceError('VALIDATION_ERROR', message, { field: `maxAmountByCurrency.${code}` });
}
