/** An address of delivery, as typed. Parts that a country does not have are empty. */
export interface ShippingAddress {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  /** Two-letter code or name; empty for the country of the merchant. */
  readonly country: string;
}

/** Largest number of characters of each part. The API accepts 300 in one text. */
export const SHIPPING_ADDRESS_LENGTHS: Readonly<Record<keyof ShippingAddress, number>> = {
  street: 120,
  city: 60,
  state: 40,
  zip: 12,
  country: 60,
};

/** Countries whose addresses have no valid form without a state or province and a postal code. */
const WITH_STATE_AND_ZIP = new Set(['US', 'CA', 'AU']);
/** Returns true if addresses of a country need no state and no postal code. */
export const isRegionOptional = (country: string) => !WITH_STATE_AND_ZIP.has(country);

/** Returns the English name of a country by its code; any other text is returned as it is. */
export function countryName(country: string): string {
  const code = country.toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) ?? country) : country;
}

/** Returns true if a text is the code or the name of the country, or empty. */
export const isHomeCountry = (text: string, home: string): boolean =>
  text === '' || countryName(text).toLowerCase() === countryName(home).toLowerCase();

/**
 * Returns the address in one line, as the API takes it: "12 Pier Road, Portland, ME 04101". The country is named unless it is that of the
 * merchant, so that an address of the pay page, the desk and the shop's own program is equal.
 */
export function shippingAddressText({ street, city, state, zip, country }: ShippingAddress, home: string): string {
  const region = [state, zip].filter(Boolean).join(' ');
  return [street, city, region, isHomeCountry(country, home) ? '' : countryName(country)].filter(Boolean).join(', ');
}
