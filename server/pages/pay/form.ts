import { isEmailAddress } from '#core/kernel';
import type { PaymentMethodInput } from '#core/sales/payments';
import { CARD_ENTRY } from '../card-entry.ts';
import { readShipping, SHIPPING_FIELDS, type ShippingValues, shippingProblem } from './shipping.ts';
import type { Texts } from './texts-en.ts';
import { CUSTOM_TIP, isTipOffered, type TipValues } from './tip.ts';
import type { PayView } from './view.ts';

/** Values of a submitted form. Card number, account number and security code are used for one payment and never sent back. */
export interface FormValues extends ShippingValues, TipValues {
  readonly attempt: string;
  readonly method: 'card' | 'ach';
  /** Amount to pay: as typed, or as the page showed it. */
  readonly amount: string;
  /** Surcharge that the page showed, as a decimal. */
  readonly surcharge: string;
  readonly currency: string;
  readonly name: string;
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly zip: string;
  readonly routing: string;
  readonly account: string;
  readonly accountType: string;
  readonly accountHolder: string;
  readonly email: string;
}

export const FIELDS = [
  'amount',
  'tipAmount',
  'number',
  'expiry',
  'cvv',
  'zip',
  'routing',
  'account',
  'name',
  'email',
  ...SHIPPING_FIELDS,
] as const;
export type FieldName = (typeof FIELDS)[number];

/** Problems by field, in the payer's language. */
export type Faults = Readonly<Partial<Record<FieldName, string>>>;

const { isCardNumber, expiryOf } = CARD_ENTRY;
const LENGTH_MAX = 254;
const NAME_MAX = 100;
const AMOUNT = /^\d{1,11}(\.\d{1,4})?$/;
const ATTEMPT = /^[\w-]{16,64}$/;
const ZIP = /^[\dA-Z][\dA-Z -]{1,8}[\dA-Z]$/i;
/** Digits as long as a card number, which do not belong in a name. */
const LONG_NUMBER = /\d(?:[ -]?\d){11}/;

/**
 * Returns true if a form is complete: it contains the key that recognizes a second submission, the amount that the payer saw, and no tip that the page
 * does not offer any more.
 */
export function isComplete(values: FormValues, view: PayView): boolean {
  return ATTEMPT.test(values.attempt) && (view.allowPartial || AMOUNT.test(values.amount)) && isTipOffered(values, view);
}

export function readForm(form: URLSearchParams, view: PayView): FormValues {
  const text = (name: string) =>
    (form.get(name) ?? '')
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, LENGTH_MAX);
  const [first = 'card'] = view.methods;
  const method = text('method') === 'ach' ? 'ach' : 'card';
  return {
    attempt: text('attempt'),
    method: view.methods.includes(method) ? method : first,
    amount: amountAsTyped(text('amount'), view),
    tip: text('tip'),
    tipAmount: text('tip') === CUSTOM_TIP ? amountAsTyped(text('tipAmount'), view) : '',
    surcharge: AMOUNT.test(text('surcharge')) ? text('surcharge') : '0',
    currency: text('currency'),
    name: text('name'),
    number: text('number'),
    expiry: text('expiry'),
    cvv: text('cvv'),
    zip: text('zip'),
    routing: text('routing').replace(/[ -]/g, ''),
    account: text('account'),
    accountType: text('accountType') === 'savings' ? 'savings' : 'checking',
    accountHolder: text('accountHolder') === 'company' ? 'company' : 'person',
    ...readShipping(text, view),
    email: text('email'),
  };
}

const REUSABLE = [
  'amount',
  'tip',
  'tipAmount',
  'name',
  'zip',
  'routing',
  'accountType',
  'accountHolder',
  'email',
  ...SHIPPING_FIELDS,
] as const;
/** Values of a form that may be shown again. */
export type ReusableFields = Partial<Pick<FormValues, 'method' | (typeof REUSABLE)[number]>>;

/** Returns the values of a form that may be shown again or stored in a cookie. Values that could be card or account numbers are left out, whatever their field. */
export function reusableFields(values: FormValues): ReusableFields {
  const { method } = values;
  const texts = REUSABLE.map((name) => [name, values[name]] as const).filter(([, text]) => !LONG_NUMBER.test(text));
  return {
    method,
    ...(Object.fromEntries(texts) as Partial<Record<(typeof REUSABLE)[number], string>>),
  };
}

/** Normalizes an amount: removes the currency and thousands separators; a comma before one or two digits is a decimal point. */
function amountAsTyped(text: string, { payable }: PayView): string {
  const bare = text.replaceAll(payable.currency, '').replace(/[\s$€£]/g, '');
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) return bare.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  const decimal = /^\d+,\d{1,2}$/.test(bare) ? bare.replace(',', '.') : bare;
  return decimal.replace(/^0+(?=\d)/, '');
}

/** Returns all problems of a form together, because number and code must be typed again. */
export function faultsOf(values: FormValues, view: PayView, { errors }: Texts): Faults {
  const faults: Partial<Record<FieldName, string>> = {};
  const check = (name: FieldName, isRight: (text: string) => boolean) => {
    if (values[name] === '') faults[name] = errors[name].missing;
    else if (!isRight(values[name])) faults[name] = errors[name].wrong;
  };
  if (view.allowPartial) check('amount', (text) => AMOUNT.test(text));
  if (values.tip === CUSTOM_TIP) check('tipAmount', (text) => AMOUNT.test(text) && !(Number(text) > Number(values.amount)));
  if (values.method === 'card') {
    check('number', (text) => isCardNumber(text.replace(/[ -]/g, '')));
    check('expiry', (text) => expiryOf(text) !== null);
    if (view.requireCvv) check('cvv', (text) => /^\d{3,4}$/.test(text));
    if (view.requireZip) check('zip', (text) => ZIP.test(text));
  } else {
    check('routing', (text) => /^\d{9}$/.test(text));
    check('account', (text) => /^\d{4,17}$/.test(text.replace(/[ -]/g, '')));
  }
  if (view.collectShippingAddress)
    for (const name of SHIPPING_FIELDS) {
      const problem = LONG_NUMBER.test(values[name]) ? 'wrong' : shippingProblem(name, values);
      if (problem !== null) faults[name] = errors[name][problem];
    }
  check('name', (text) => text.length <= NAME_MAX && !LONG_NUMBER.test(text));
  if (values.email !== '') check('email', (text) => isEmailAddress(text) && !LONG_NUMBER.test(text));
  return faults;
}

/** Returns the payment method of a form without problems. */
export function methodOf(values: FormValues, { requireCvv }: PayView): PaymentMethodInput {
  const { routing: routingNumber, account: accountNumber, accountType, accountHolder, name } = values;
  if (values.method === 'ach') {
    const accountHolderType = accountHolder === 'company' ? 'company' : 'person';
    return { kind: 'ach', accountNumber, routingNumber, accountType, accountHolderName: name, accountHolderType };
  }
  const { month, year } = expiryOf(values.expiry) ?? { month: '', year: '' };
  return { kind: 'card', number: values.number, expiryMonth: month, expiryYear: year, ...(requireCvv ? { cvv: values.cvv } : {}) };
}
