import { t } from '#renderer/base/language';
import { amountProblem, type TaxRule } from '#renderer/base/money';
import { cardNumberProblem, expiryProblem, monthOf, readCardNumber, readExpiry, securityCodeLength } from '#renderer/shared/card-entry';
import { containsCardNumber } from '#shared/card-numbers';
import type { DeskChannel } from '#shared/channels';
import { isHomeCountry, isRegionOptional } from '#shared/shipping-address';
import { bankAccountProblem, routingNumberProblem } from './bank.ts';
import type { Discount } from './discount.ts';
import { postalCodeProblem } from './postal-code.ts';

export const SALE_TYPES = ['sale', 'auth'] as const;
export type SaleType = (typeof SALE_TYPES)[number];

/** Payment method that a gateway charges: a card on a card reader, a keyed card, a bank account, or a stored card by its token. */
export type ChargeMode = 'reader' | 'card' | 'bank' | 'saved';
/** Tender that is recorded without a gateway; `other:` is followed by the merchant's name for it. */
export type TenderMode = 'cash' | 'check' | 'gift_card' | `other:${string}`;
/** Payment method of the sale. */
export type SaleMode = ChargeMode | TenderMode;

const CHARGE_MODES: ReadonlySet<string> = new Set<ChargeMode>(['reader', 'card', 'bank', 'saved']);
export const isTender = (mode: SaleMode): mode is TenderMode => !CHARGE_MODES.has(mode);

/** Channel of a sale on the screen. `unscheduled`: a saved card is charged without the customer. */
export type SellChannel = DeskChannel | 'unscheduled';

export type CardEntry = 'keyed' | 'swiped';
export type AccountType = 'checking' | 'savings';

/** Fields of the sale in the order of the screen. */
export const SALE_FIELDS = [
  'amount',
  'tax',
  'tip',
  'number',
  'expiry',
  'code',
  'zip',
  'routing',
  'account',
  'holder',
  'proof',
  'token',
  'given',
  'checkNumber',
  'checkBank',
  'giftCode',
  'giftPin',
  'name',
  'email',
  'phone',
  'order',
  'description',
  'street',
  'city',
  'state',
  'shipStreet',
  'shipCity',
  'shipState',
  'shipZip',
  'shipCountry',
] as const;
export type SaleField = (typeof SALE_FIELDS)[number];

/** Fields of the shipping address. All are empty, or street and city are required. */
export const SHIPPING_FIELDS = ['shipStreet', 'shipCity', 'shipState', 'shipZip', 'shipCountry'] as const satisfies SaleField[];

/** Values of the fields as typed. Created for one use and never stored, because they may contain a card number. */
export type SaleValues = Readonly<Partial<Record<SaleField, string>>>;

const TOKEN = /^tok_\w{8,64}$/;

/** Facts of the card that decide about its surcharge. The first eight digits are the most that may be kept of a card number. */
export interface CardFacts {
  readonly firstDigits: string;
  readonly token: string;
  readonly zip: string;
  readonly state: string;
}

export const NO_CARD: CardFacts = { firstDigits: '', token: '', zip: '', state: '' };
const FIRST_DIGITS = 8;

/** Returns the facts of the card of a form; each is empty until it is complete. */
export function cardFactsOf(values: SaleValues, country: string): CardFacts {
  const digits = (values.number ?? '').replace(/\D/g, '').slice(0, FIRST_DIGITS);
  const [token = '', zip = '', state = ''] = [values.token, values.zip, values.state].map((text) => text?.trim());
  return {
    firstDigits: digits.length === FIRST_DIGITS ? digits : '',
    token: TOKEN.test(token) ? token : '',
    zip: zip !== '' && postalCodeProblem(zip, country) === null ? zip : '',
    state,
  };
}

/** Settings that decide which fields are required and what they may contain. */
export interface SaleRules {
  readonly mode: SaleMode;
  readonly requireCode: boolean;
  readonly requireZip: boolean;
  readonly currency: string;
  readonly country: string;
  /** True if the bank debit needs the reference of its authorization. */
  readonly requireProof?: boolean;
  /** True if a tip is requested. */
  readonly asksTip?: boolean;
  /** Tax on the amount; null if there is none or the sale has lines with taxes of their own. */
  readonly tax?: TaxRule | null;
  /** Surcharge for cards, in percent. */
  readonly surchargePercent?: number;
  /** Discount on the amount; null if there is none or the sale has lines with discounts of their own. */
  readonly discount?: Discount | null;
}

/** Returns the required fields in the order of the screen. */
export function requiredFields({ mode, requireCode, requireZip, requireProof }: SaleRules): SaleField[] {
  const proof = requireProof ? (['proof'] as const) : [];
  if (mode === 'reader') return ['amount'];
  if (mode === 'bank') return ['amount', 'routing', 'account', 'holder', ...proof];
  if (mode === 'saved') return ['amount', 'token'];
  if (mode === 'check') return ['amount', 'checkNumber'];
  if (isTender(mode)) return ['amount'];
  return ['amount', 'number', 'expiry', ...(requireCode ? (['code'] as const) : []), ...(requireZip ? (['zip'] as const) : [])];
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

/** Returns the message for a field that the operator has finished; null if it is valid. Optional fields may be empty. */
export function fieldProblem(field: SaleField, values: SaleValues, rules: SaleRules, now: Date): string | null {
  const text = (values[field] ?? '').trim();
  switch (field) {
    case 'amount':
      return amountProblem(text, rules.currency);
    case 'tax':
    case 'tip':
      return text === '' || /^0*\.?0*$/.test(text) ? null : amountProblem(text, rules.currency);
    case 'number':
      return cardNumberProblem(text);
    case 'expiry':
      return expiryProblem(text, monthOf(now));
    case 'code':
      return codeProblem(text, values.number ?? '');
    case 'zip':
      return text === '' && !requiredFields(rules).includes('zip') ? null : postalCodeProblem(text, rules.country);
    case 'routing':
      return routingNumberProblem(text);
    case 'account':
      return bankAccountProblem(text);
    case 'holder':
      return text === '' ? t('Enter the name on the account.') : null;
    case 'proof':
      return proofProblem(text, rules);
    case 'given':
      return text === '' ? null : amountProblem(text, rules.currency);
    case 'checkNumber':
      return text === '' ? t('Enter the check number.') : null;
    case 'token':
      return TOKEN.test(text) ? null : t('A card token starts with tok_.');
    case 'email':
      return text === '' || EMAIL.test(text) ? null : t('Enter a valid email address.');
    case 'shipStreet':
    case 'shipCity':
    case 'shipState':
    case 'shipZip':
    case 'shipCountry':
      return shippingProblem(field, values, rules);
    default:
      return null;
  }
}

function proofProblem(text: string, { requireProof }: SaleRules): string | null {
  if (containsCardNumber(text)) return t('This is a card number. Remove it.');
  return text === '' && requireProof ? t('Enter the reference of the authorization.') : null;
}

const SHIPPING_MISSING = {
  shipStreet: t('Enter the street.'),
  shipCity: t('Enter the city.'),
  shipState: t('Enter the state.'),
  shipZip: t('Enter the ZIP or postal code.'),
} as const;

/** Returns the problem of a part of the shipping address. An address that is begun is completed or cleared. */
function shippingProblem(field: (typeof SHIPPING_FIELDS)[number], values: SaleValues, { country }: SaleRules): string | null {
  const [text = '', abroad = ''] = [values[field], values.shipCountry].map((value) => value?.trim());
  if (containsCardNumber(text)) return t('This is a card number. Remove it.');
  const isBegun = SHIPPING_FIELDS.some((each) => (values[each] ?? '').trim() !== '');
  if (text !== '' || !isBegun || field === 'shipCountry') return null;
  const isOptional = isHomeCountry(abroad, country) ? isRegionOptional(country) : true;
  return isOptional && (field === 'shipState' || field === 'shipZip') ? null : SHIPPING_MISSING[field];
}

function codeProblem(text: string, number: string): string | null {
  const length = securityCodeLength(readCardNumber(number).brand);
  return /^\d+$/.test(text) && text.length === length ? null : t('Enter the {{digits}}-digit CVV.', { digits: length });
}

/** Fields before those that are asked for although they may stay empty. */
const BEFORE_OPTIONAL: ReadonlySet<SaleField | null> = new Set<SaleField>(['amount', 'tax', 'tip']);

/** Returns the field of a payment method that is asked for although it may stay empty; null if there is none. */
export function optionalField(mode: SaleMode): SaleField | null {
  if (mode === 'cash') return 'given';
  return mode === 'gift_card' ? 'giftCode' : null;
}

/**
 * Returns the field that Enter focuses: the amount while it is wrong, else the next required field with a problem after the current one; null
 * if the sale can be charged. After the number of the card, Enter stays on a field with a problem, so that the digits of the next field are not typed into
 * another one.
 */
export function nextIncomplete(current: SaleField | null, values: SaleValues, rules: SaleRules, now: Date): SaleField | null {
  const isAfter = (field: SaleField) => current === null || SALE_FIELDS.indexOf(field) > SALE_FIELDS.indexOf(current);
  if (current === 'amount' && (values.amount ?? '').trim() !== '' && fieldProblem('amount', values, rules, now) !== null) return 'amount';
  const required = requiredFields(rules);
  const incomplete = required.filter((field) => fieldProblem(field, values, rules, now) !== null);
  const [, number] = required;
  const hasNumber = number !== undefined && !incomplete.includes(number);
  if (hasNumber && current !== null && current !== 'amount' && incomplete.includes(current)) return current;
  return incomplete.find(isAfter) ?? incomplete[0] ?? (BEFORE_OPTIONAL.has(current) ? optionalField(rules.mode) : null);
}

/** Returns the message for every field that the server would refuse. */
export function problemsOf(values: SaleValues, rules: SaleRules, now: Date): Partial<Record<SaleField, string>> {
  const checkedFields = new Set<SaleField>([...requiredFields(rules), 'given', 'proof', 'tax', 'tip', 'email', 'zip', ...SHIPPING_FIELDS]);
  return Object.fromEntries(
    [...checkedFields].flatMap((field) => {
      const problem = fieldProblem(field, values, rules, now);
      return problem === null ? [] : [[field, problem]];
    }),
  );
}

/** Returns true if the field is complete and valid, so that the focus may move on. */
export function isFinished(field: SaleField, values: SaleValues, rules: SaleRules, now: Date): boolean {
  const text = values[field] ?? '';
  if (field === 'number') return readCardNumber(text).finished;
  if (field === 'expiry') return readExpiry(text, monthOf(now)).kind === 'valid';
  if (field === 'code' || field === 'routing') return fieldProblem(field, values, rules, now) === null;
  return false;
}
