import { exponentOf, formatDecimal, type Money } from '#core/kernel';
import { type Language, LOCALES } from '#shared/languages';

const amounts = new Map<string, Intl.NumberFormat>();
const times = new Map<string, Intl.DateTimeFormat>();

function cachedFormat<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key);
  if (known) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

/** Returns an amount with its currency code: `4,500.00 USD`. */
export function formatMoney(money: Money, language: Language): string {
  return `${formatAmount(money, language)} ${money.currency}`;
}

/** Returns an amount without its currency: `4,500.00`. The number of decimals is that of ISO 4217; `Intl` is wrong for several currencies. */
export function formatAmount(money: Money, language: Language): string {
  const decimals = exponentOf(money.currency);
  const format = cachedFormat(
    amounts,
    `${language} ${decimals}`,
    () => new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  );
  // The digits are passed as text, without conversion to a floating-point number.
  return format.format(formatDecimal(money) as Intl.StringNumericLiteral);
}

/** Formats a calendar date YYYY-MM-DD: `Nov 20, 2026`. */
export function formatDay(date: string, language: Language): string {
  const format = cachedFormat(times, language, () => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeZone: 'UTC' }));
  return spaced(format.format(new Date(`${date}T00:00:00.000Z`)));
}

/** Formats an instant in a time zone: `Nov 20, 2026, 5:14 PM`. */
export function formatTime(iso: string, timeZone: string, language: Language): string {
  const format = cachedFormat(
    times,
    `${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  );
  return spaced(format.format(new Date(iso)));
}

/** Replaces all kinds of spaces by the plain one, because printers and fonts may not have the others. */
function spaced(text: string): string {
  return text.replace(/\s/gu, ' ');
}
