import { type Currency, parseMoneyOrZero, ServiceError } from '#core/kernel';
import type { LateFeeSettings } from './settings.ts';

/** Checks the late fees of a merchant. @throws ServiceError INVALID_AMOUNT; VALIDATION_ERROR if they are switched on with a fee of zero. */
export function checkLateFees({ enabled, kind, amount, percent, ceilingPercent }: LateFeeSettings, currency: Currency): void {
  const { minor } = parseMoneyOrZero(amount, currency, 'amount');
  if (!enabled) return;
  const zero = kind === 'fixed' ? (minor === 0 ? 'amount' : null) : percent === 0 ? 'percent' : null;
  const field = zero ?? (ceilingPercent === 0 ? 'ceilingPercent' : null);
  if (field === null) return;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be greater than 0 before you switch late fees on.`, { field });
}
