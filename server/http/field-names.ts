import { editDistance } from '#shared/edit-distance';

const AMOUNT = 'amount';
const CURRENCY = 'currency';
/** Shorter names must match; one letter more makes another word of them. */
const SHORT_NAME = 4;
const LONG_NAME = 7;

/** Returns a name in lower case, without the signs that separate words. */
export const normalized = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Normalized names of other APIs for fields whose absence weakens a check of the card, or moves money without a part of its record. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cvc: 'cvv',
  cvn: 'cvv',
  cvv2: 'cvv',
  securitycode: 'cvv',
  cardnumber: 'number',
  pan: 'number',
  expmonth: 'expirymonth',
  expirationmonth: 'expirymonth',
  expyear: 'expiryyear',
  expirationyear: 'expiryyear',
  expdate: 'expirydate',
  expirationdate: 'expirydate',
  postalcode: 'zip',
  zipcode: 'zip',
  billingzip: 'billingpostalcode',
  billingzipcode: 'billingpostalcode',
  tip: 'tipamount',
  gratuity: 'tipamount',
  tax: 'taxamount',
  surcharge: 'surchargeamount',
  discount: 'discountamount',
  ponumber: 'purchaseordernumber',
  lineitems: 'items',
  items: 'lineitems',
  total: AMOUNT,
  price: AMOUNT,
  sum: AMOUNT,
  value: AMOUNT,
};

/** Returns true for the name that other APIs have for a field; an amount of any kind, such as `refundAmount`, may be called `amount`. */
export function isOtherNameOf(name: string, known: string): boolean {
  const [one, other] = [normalized(name), normalized(known)];
  return OTHER_NAMES[one] === other || (other === AMOUNT && one.endsWith(AMOUNT));
}

/** Names that are part of others without meaning them: `type` may be that of a card, and `amount` is refused by its meaning. */
const NO_PARTS = new Set(['type', 'amount']);

/**
 * Returns true for names that differ in their case only, or by one letter, or by two letters if the known one has seven or more, and for a name that is the
 * beginning or the end of the known one.
 */
export function resembles(name: string, known: string): boolean {
  const [one, other] = [normalized(name), normalized(known)];
  if (one.length >= SHORT_NAME && !NO_PARTS.has(one) && (other.startsWith(one) || other.endsWith(one))) return true;
  const allowed = known.length >= LONG_NAME ? 2 : known.length >= SHORT_NAME ? 1 : 0;
  return Math.abs(one.length - other.length) <= allowed && editDistance(one, other) <= allowed;
}

/** Words of a name that state an amount or a part of it, or how money is charged. */
const MONEY_WORDS = new Set(
  [
    ['amount', 'amounts', 'cents', 'price', 'prices', 'total', 'cashback'],
    ['tax', 'taxes', 'vat', 'discount', 'discounts', 'coupon', 'coupons', 'rebate'],
    ['fee', 'fees', 'surcharge', 'surcharges', 'tip', 'tips', 'gratuity'],
    ['trial', 'trials', 'installment', 'installments', 'instalments', 'mandate', 'mandates'],
    ['descriptor', 'cryptogram', 'capture', 'preauth', 'cavv', 'ucaf', 'aav', 'xid', 'eci', '3ds', '3ds2'],
  ].flat(),
);
/** Endings of names that are written as one word. */
const MONEY_ENDINGS = [AMOUNT, 'amounts', 'discount', 'surcharge', 'installments', 'descriptor', 'cryptogram', 'taxes'];
/** Further normalized names of other APIs with such a meaning. */
const MONEY_NAMES = new Set(
  [
    ['setupfee', 'applicationfee', 'trialdays', 'trialperiod', 'trialend', 'salestax', 'splitpayments', 'transferdata', 'onbehalfof'],
    ['autocapture', 'autocomplete', 'capturemethod', 'authonly', 'authorizeonly', 'cardpresent', 'savecard', 'setupfutureusage'],
    ['threedsecure', 'threeds', 'threeds2', '3dsecure', '3dsecure2', 'authenticationdata', 'dstransactionid', 'dstransid', 'sca'],
    ['networktoken', 'networktransactionid', 'electroniccommerceindicator', 'ecommerceindicator', 'storedcredential', 'offsession'],
    ['isrecurring', 'seccode', 'standardentryclass', 'moto'],
  ].flat(),
);
/** Names with such a word that identify a person or a company. */
const IDENTIFIERS = new Set(['taxid', 'taxids', 'taxidnumber', 'taxnumber', 'taxpayerid', 'vatid', 'vatnumber']);

/** Kind of meaning of a field that an operation must not ignore. */
export type Meaning = 'amount' | 'currency' | 'charge';

/** Returns the kind of a name that would change an amount, the authentication of the payer or the way of charging; null for any other name. */
export function meaningOf(name: string): Meaning | null {
  const one = normalized(name);
  if (IDENTIFIERS.has(one)) return null;
  if (one.endsWith(CURRENCY) || one === 'currencycode') return 'currency';
  if (one.endsWith(AMOUNT)) return 'amount';
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const isMoney = MONEY_NAMES.has(one) || MONEY_ENDINGS.some((end) => one.endsWith(end)) || words.some((word) => MONEY_WORDS.has(word));
  return isMoney ? 'charge' : null;
}

/** Normalized names of a security code. */
export const SECURITY_CODES: ReadonlySet<string> = new Set(['cvv', 'cvv2', 'cvc', 'cvn', 'securitycode', 'cardcode']);

/** Names by which other APIs ask for an authorization. */
export const CAPTURE_NAMES: ReadonlySet<string> = new Set([
  'capture',
  'autocapture',
  'autocomplete',
  'capturemethod',
  'authonly',
  'authorizeonly',
  'preauth',
]);

const KINDS = new Set(['type', 'intent', 'transactiontype']);
const AUTHORIZATIONS = new Set(['0', 'auth', 'authonly', 'authonlytransaction', 'authorize', 'authorization', 'preauth']);
const MOVEMENTS = new Set([
  'refund',
  'refundtransaction',
  'return',
  'void',
  'voidtransaction',
  'reversal',
  'reverse',
  'verify',
  'verification',
]);
const CREDITS = new Set(['credit', 'unlinkedcredit', 'unreferencedcredit']);

/**
 * Returns what the field of another API asks a sale for, by its name and value: an authorization, or another movement of money. Null if it asks for a sale,
 * or for nothing. A `type` of `credit` may be that of the card.
 */
export function askedKind(name: string, value: unknown): 'authorization' | 'movement' | null {
  const one = normalized(name);
  if (!KINDS.has(one)) return null;
  const kind = normalized(String(value));
  if (AUTHORIZATIONS.has(kind)) return 'authorization';
  return MOVEMENTS.has(kind) || (one === 'transactiontype' && CREDITS.has(kind)) ? 'movement' : null;
}

const VARIANTS = new Set(['cvv', 'Cvv', 'CVV']);
const flipped = (name: string) =>
  (name.charAt(0) === name.charAt(0).toLowerCase() ? name.charAt(0).toUpperCase() : name.charAt(0).toLowerCase()) + name.slice(1);

/** Returns the spellings of a documented name in camelCase and PascalCase other than itself; the usual one first. */
export const otherSpellings = (name: string): readonly string[] => {
  if (!VARIANTS.has(name)) return [flipped(name)];
  return (name === 'cvv' ? ['Cvv', 'CVV'] : ['cvv', 'Cvv', 'CVV']).filter((each) => each !== name);
};
