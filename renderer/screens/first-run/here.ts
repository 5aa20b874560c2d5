const CURRENCY_OF_REGION: Readonly<Record<string, string>> = {
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CN: 'CNY',
  CZ: 'CZK',
  DK: 'DKK',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  IL: 'ILS',
  IN: 'INR',
  JP: 'JPY',
  KR: 'KRW',
  MX: 'MXN',
  NO: 'NOK',
  NZ: 'NZD',
  PL: 'PLN',
  SE: 'SEK',
  SG: 'SGD',
  TR: 'TRY',
  US: 'USD',
  ZA: 'ZAR',
};
const EURO_REGIONS = new Set('AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '));

/** The currency of the system's region; US dollars where it is not known. */
export function currencyHere(): string {
  // The language of the browser may be one that Intl refuses ("en-US@posix"); the one it resolved is not.
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const region = new Intl.Locale(locale).maximize().region ?? 'US';
  return EURO_REGIONS.has(region) ? 'EUR' : (CURRENCY_OF_REGION[region] ?? 'USD');
}

/** The system's time zone. */
export function timeZoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All zones to choose from; UTC and the one here are always among them. */
export function timeZones(): string[] {
  return [...new Set([timeZoneHere(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
}

/** "USD, US Dollar" for a list; the code alone where the language has no name for it. */
export function currencyName(code: string): string {
  const name = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code);
  return name ? `${code}, ${name}` : code;
}
