import { parseMoney, ServiceError, storedCurrency } from '#core/kernel';
import { checkCashRounding } from './cash-rounding.ts';
import type { VtSettings } from './settings.ts';

const LIMITS = ['chargeLaterMaxAmount', 'chargeLaterMaxPerCustomer'] as const;

/**
 * Returns a change of the virtual terminal as it is stored: with the currency of changed limits, so that a later change of the merchant's currency does
 * not change them. @throws ServiceError VALIDATION_ERROR for another currency than that of the merchant, and for a limit that stays in another one;
 * INVALID_AMOUNT for more decimals than the currency has, and the errors of `checkCashRounding`.
 */
export function vtChangeFrom(before: VtSettings, change: Partial<VtSettings>, currency: string): Partial<VtSettings> {
  checkCashRounding(change.cashRounding);
  const { chargeLaterCurrency: stated } = change;
  const changed = LIMITS.filter((field) => change[field] !== undefined);
  if (changed.length === 0 && stated === undefined) return change;
  if (stated != null && stated !== currency)
    throw new ServiceError('VALIDATION_ERROR', `\`chargeLaterCurrency\` must be ${currency}, the currency of the merchant.`, {
      field: 'chargeLaterCurrency',
    });
  const after = { ...before, ...change };
  if (LIMITS.every((field) => after[field] === null)) return { ...change, chargeLaterCurrency: null };
  const { chargeLaterCurrency: present } = before;
  for (const field of LIMITS) {
    const amount = after[field];
    if (amount === null) continue;
    if (stated == null && present !== null && present !== currency && change[field] === undefined)
      throw new ServiceError('VALIDATION_ERROR', `\`${field}\` is in ${present}. Send it in ${currency} as well, or null.`, { field });
    parseMoney(amount, storedCurrency(currency), field);
  }
  return { ...change, chargeLaterCurrency: currency };
}
