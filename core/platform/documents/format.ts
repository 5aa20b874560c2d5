import { exponentOf, formatDecimal, type Money } from '#core/kernel';

/** The languages that payers are written to in. */
export type Language = 'en' | 'es';

/** American Spanish, because both languages then group digits and mark decimals alike. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US' };

const amounts = new Map<string, Intl.NumberFormat>();
const times = new Map<string, Intl.DateTimeFormat>();

function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key);
  if (known) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

/** An amount with its currency's code: `4,500.00 USD`. */
export function formatMoney(money: Money, language: Language): string {
  return `${formatAmount(money, language)} ${money.currency}`;
}

/** An amount alone: `4,500.00`. The decimals are those of ISO 4217, of which Intl is wrong for several. */
export function formatAmount(money: Money, language: Language): string {
  const decimals = exponentOf(money.currency);
  const format = kept(
    amounts,
    `${language} ${decimals}`,
    () => new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  );
  // Digits as text, without a detour over a floating-point number.
  return format.format(formatDecimal(money) as Intl.StringNumericLiteral);
}

/** A calendar date written YYYY-MM-DD as people read it: `Nov 20, 2026`. */
export function formatDay(date: string, language: Language): string {
  const format = kept(times, language, () => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeZone: 'UTC' }));
  return spaced(format.format(new Date(`${date}T00:00:00.000Z`)));
}

/** An instant in a time zone as people there read it: `Nov 20, 2026, 5:14 PM`. */
export function formatTime(iso: string, timeZone: string, language: Language): string {
  const format = kept(
    times,
    `${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  );
  return spaced(format.format(new Date(iso)));
}

/** Printers and fonts know one kind of space. */
function spaced(text: string): string {
  return text.replace(/\s/gu, ' ');
}
