import { exponentOf, parseCurrency, ServiceError } from '#core/kernel';
import { type CashRounding, cashUnitOf, cashUnits } from '#shared/cash-rounding';
import type { Merchant } from './merchant.ts';

/** Checks a rounding of cash. @throws ServiceError INVALID_CURRENCY, VALIDATION_ERROR for a unit that the currency does not have. */
export function checkCashRounding(rounding: CashRounding | null | undefined): void {
  if (rounding == null) return;
  const exponent = exponentOf(parseCurrency(rounding.currency, 'cashRounding.currency'));
  if (cashUnitOf(rounding, rounding.currency, exponent) === 1 || !cashUnits(exponent).includes(rounding.unit))
    throw new ServiceError('VALIDATION_ERROR', `\`cashRounding.unit\` must be one of ${cashUnits(exponent).join(', ')}.`, {
      field: 'cashRounding.unit',
    });
}

/** Returns the unit to which a merchant rounds cash in a currency, in minor units; 1 for exact amounts. */
export const cashUnitFor = ({ vtSettings }: Pick<Merchant, 'vtSettings'>, currency: Merchant['currency']): number =>
  cashUnitOf(vtSettings.cashRounding, currency, exponentOf(currency));
