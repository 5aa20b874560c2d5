import type { Language } from '#core/platform/documents';
import type { PayView } from './view.ts';

export const SHIPPING_FIELDS = ['shippingStreet', 'shippingCity', 'shippingState', 'shippingZip', 'shippingCountry'] as const;
export type ShippingField = (typeof SHIPPING_FIELDS)[number];
export type ShippingValues = Readonly<Record<ShippingField, string>>;

export const SHIPPING_LENGTHS: Readonly<Record<ShippingField, number>> = {
  shippingStreet: 120,
  shippingCity: 60,
  shippingState: 40,
  shippingZip: 12,
  shippingCountry: 2,
};
/** Countries whose addresses have no valid form without a state or province and a postal code. */
const WITH_STATE_AND_ZIP = new Set(['US', 'CA', 'AU']);
/** Returns true if addresses of a country need no state and no postal code. */
export const isRegionOptional = (country: string) => !WITH_STATE_AND_ZIP.has(country);
/** Two letters that CLDR names, but that are no country to which a parcel can be sent. */
const NO_COUNTRIES = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
const CODES = (() => {
  const names = namesIn('en');
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => !NO_COUNTRIES.has(code) && names.of(code) !== undefined,
  );
})();

/** Returns the countries of the list, sorted by their names in a language. */
export function countriesIn(language: Language): (readonly [code: string, name: string])[] {
  const names = namesIn(language);
  const { compare } = new Intl.Collator(language);
  return CODES.map((code) => [code, names.of(code) ?? code] as const).toSorted(([, left], [, right]) => compare(left, right));
}

/** Reads the address from a form; `text` returns a value without control characters. */
export function readShipping(text: (name: string) => string, { country }: Pick<PayView, 'country'>): ShippingValues {
  return {
    shippingStreet: text('shippingStreet'),
    shippingCity: text('shippingCity'),
    shippingState: text('shippingState'),
    shippingZip: text('shippingZip'),
    shippingCountry: text('shippingCountry').toUpperCase() || country,
  };
}

/** Returns the problem of a field: `missing`, `wrong` or null. */
export function shippingProblem(field: ShippingField, values: ShippingValues): 'missing' | 'wrong' | null {
  const text = values[field];
  const isOptional = (field === 'shippingState' || field === 'shippingZip') && isRegionOptional(values.shippingCountry);
  if (text === '') return isOptional ? null : 'missing';
  if (text.length > SHIPPING_LENGTHS[field]) return 'wrong';
  return field === 'shippingCountry' && !CODES.includes(text) ? 'wrong' : null;
}

/**
 * Returns the address in one line, as the API takes it: "12 Pier Road, Portland, ME 04101". The country is named unless it is that of the merchant,
 * so that an address of the shop's own program is equal.
 */
export function shippingText(values: ShippingValues, { country }: Pick<PayView, 'country'>): string {
  const { shippingStreet, shippingCity, shippingState, shippingZip, shippingCountry } = values;
  const region = [shippingState, shippingZip].filter(Boolean).join(' ');
  const abroad = shippingCountry === country ? '' : (namesIn('en').of(shippingCountry) ?? shippingCountry);
  return [shippingStreet, shippingCity, region, abroad].filter(Boolean).join(', ');
}
