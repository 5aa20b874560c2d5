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

/** Returns the currency of the system's region; US dollars if the region is unknown. */
export function defaultCurrency(): string {
  // Intl rejects some browser languages ("en-US@posix"); the resolved locale is always valid.
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const region = new Intl.Locale(locale).maximize().region ?? 'US';
  return EURO_REGIONS.has(region) ? 'EUR' : (CURRENCY_OF_REGION[region] ?? 'USD');
}
