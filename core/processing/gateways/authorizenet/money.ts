import { type Currency, majorUnit } from '#core/kernel';
import { textOf } from './client.ts';

/** Parses an amount of the processor (`12.34`, text or number) digit by digit; undefined if it is not an amount of the currency. */
export function minorOf(amount: unknown, currency: Currency): number | undefined {
  const match = /^(\d{1,11})(?:\.(\d+))?$/.exec(textOf(amount) ?? '');
  if (!match) return undefined;
  const decimals = String(majorUnit(currency)).length - 1;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  return fraction.length > decimals ? undefined : Number(`${match[1]}${fraction.padEnd(decimals, '0')}`);
}
