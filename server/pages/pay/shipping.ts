import type { Language } from '#shared/languages';
import { isRegionOptional, SHIPPING_ADDRESS_LENGTHS as LENGTHS, shippingAddressText } from '#shared/shipping-address';
import type { PayView } from './view.ts';

export const SHIPPING_FIELDS = ['shippingStreet', 'shippingCity', 'shippingState', 'shippingZip', 'shippingCountry'] as const;
export type ShippingField = (typeof SHIPPING_FIELDS)[number];
export type ShippingValues = Readonly<Record<ShippingField, string>>;

export const SHIPPING_LENGTHS: Readonly<Record<ShippingField, number>> = {
  shippingStreet: LENGTHS.street,
  shippingCity: LENGTHS.city,
  shippingState: LENGTHS.state,
  shippingZip: LENGTHS.zip,
  shippingCountry: 2,
};
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

/** Returns the address in one line, as the API takes it. */
export function shippingText(values: ShippingValues, { country }: Pick<PayView, 'country'>): string {
  const { shippingStreet: street, shippingCity: city, shippingState: state, shippingZip: zip, shippingCountry } = values;
  return shippingAddressText({ street, city, state, zip, country: shippingCountry }, country);
}
