import { decimalText, toMinor, writeAmount, writeMoney } from '#renderer/money';
import { sentenceCase } from '#renderer/ui';
import { brandName } from '#shared/card-brands';

/** "1 sale", "3 sales". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

const TYPES: Readonly<Record<string, string>> = { sale: 'Sales', auth: 'Authorizations', credit: 'Credits', refund: 'Refunds' };
const TENDERS: Readonly<Record<string, string>> = { cash: 'Cash', check: 'Check', other: 'Other tender' };
const METHODS: Readonly<Record<string, string>> = { card: 'Card', ach: 'Bank account', token: 'Saved card', ...TENDERS };

export const brandText = (key: string) => (key === 'ach' ? 'Bank account' : (TENDERS[key] ?? brandName(key)));
/** Returns true for the method or brand of payments without a processor. */
export const isTender = (key: string) => key in TENDERS;
export const typeText = (key: string) => TYPES[key] ?? sentenceCase(key);
export const methodText = (key: string) => METHODS[key] ?? sentenceCase(key);

/** "93.3%". */
export function rateText(rate: number): string {
  return `${(rate * 100).toFixed(1).replace(/\.0$/, '')}%`;
}

/** Formats an amount; a negative amount has a true minus sign: "−12.00 USD". */
export const moneyText = (amount: number, currency: string) => writeMoney(amount, currency).replace('-', '−');

/** Change in percent: "+12%"; empty without a former value. */
export function changeText(now: number, before: number, currency?: string): string {
  const [current, previous] = currency === undefined ? [now, before] : [toMinor(now, currency), toMinor(before, currency)];
  if (previous <= 0) return '';
  const percent = Math.round(((current - previous) / previous) * 100);
  return percent === 0 ? 'no change' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`;
}

/** Formats an amount for an axis, without its currency and without zero cents: "1,200", "12.50". */
export const axisText = (amount: number, currency: string) =>
  writeAmount(decimalText(toMinor(amount, currency), currency), currency)
    .replace('-', '−')
    .replace(/\.0+$/, '');
