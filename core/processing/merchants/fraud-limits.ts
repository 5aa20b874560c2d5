import { parseCurrency, parseMoney, ServiceError } from '#core/kernel';
import type { FraudSettings } from './settings.ts';

type Limits = Pick<FraudSettings, 'maxAmount' | 'maxAmountCurrency' | 'maxAmountByCurrency' | 'maxCreditsPerDay'>;
const OWN_LIMITS = ['maxAmount', 'maxCreditsPerDay'] as const;

/**
 * Returns a change of fraud rules as it is stored: with the currency of a changed limit, by default that of the limit that stays, or else that of the
 * merchant, so that a later change of it does not change the limit. @throws ServiceError VALIDATION_ERROR for a currency with two limits, INVALID_CURRENCY, INVALID_AMOUNT for more decimals
 * than a currency has.
 */
export function fraudChangeFrom(before: FraudSettings, change: Partial<FraudSettings>, currency: string): Partial<FraudSettings> {
  const { maxAmountCurrency, maxAmountByCurrency } = change;
  const isLimitChanged = maxAmountCurrency != null || OWN_LIMITS.some((name) => change[name] !== undefined);
  const hasLimit = OWN_LIMITS.some((name) => ({ ...before, ...change })[name] !== null);
  const staying = OWN_LIMITS.some((name) => change[name] === undefined && before[name] !== null) ? before.maxAmountCurrency : null;
  const stored = {
    ...change,
    ...(isLimitChanged && { maxAmountCurrency: hasLimit ? (maxAmountCurrency ?? staying ?? currency).toUpperCase() : null }),
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

function checkAmounts({ maxAmountCurrency, maxAmountByCurrency, ...limits }: Limits): void {
  for (const name of OWN_LIMITS) {
    const amount = limits[name];
    if (maxAmountCurrency !== null && amount !== null) parseMoney(amount, parseCurrency(maxAmountCurrency, 'maxAmountCurrency'), name);
  }
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
