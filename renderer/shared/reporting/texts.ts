import { t } from '#renderer/base/language';
import { decimalText, toMinor, writeAmount, writeMoney } from '#renderer/base/money';
import { sentenceCase } from '#renderer/kit/ui';
import { brandName } from '#shared/card-brands';

const TYPES: Readonly<Record<string, string>> = {
  sale: t('Sales'),
  auth: t('Captured authorizations'),
  credit: t('Credits'),
  refund: t('Refunds'),
};
const TENDERS: Readonly<Record<string, string>> = {
  cash: t('Cash'),
  check: t('Check'),
  gift_card: t('Gift card'),
  other: t('Other method'),
};
const METHODS: Readonly<Record<string, string>> = { card: t('Card'), ach: t('Bank account'), token: t('Saved card'), ...TENDERS };

export const brandText = (key: string) => (key === 'ach' ? t('Bank account') : (TENDERS[key] ?? brandName(key)));
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
  return percent === 0 ? t('no change') : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`;
}

/** Formats an amount for an axis, without its currency and without zero cents: "1,200", "12.50". */
export const axisText = (amount: number, currency: string) =>
  writeAmount(decimalText(toMinor(amount, currency), currency), currency)
    .replace('-', '−')
    .replace(/\.0+$/, '');
