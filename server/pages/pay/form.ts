import { isEmailAddress } from '#core/kernel';
import type { PaymentMethodInput } from '#core/payments';
import { CARD_ENTRY } from '../card-entry.ts';
import type { PayView } from './view.ts';
import type { Words } from './words.ts';

/** Values of a form. Number, account and code are read for one call and never returned. */
export interface Filled {
  readonly attempt: string;
  readonly method: 'card' | 'ach';
  /** Amount to pay: as typed, or as the page showed it. */
  readonly amount: string;
  readonly currency: string;
  readonly name: string;
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly zip: string;
  readonly routing: string;
  readonly account: string;
  readonly accountType: string;
  readonly email: string;
}

export const FIELDS = ['amount', 'number', 'expiry', 'cvv', 'zip', 'routing', 'account', 'name', 'email'] as const;
export type FieldName = (typeof FIELDS)[number];

/** Problems by field, in the payer's language. */
export type Faults = Readonly<Partial<Record<FieldName, string>>>;

const { isCardNumber, expiryOf } = CARD_ENTRY;
const LENGTH_MAX = 254;
const NAME_MAX = 100;
const AMOUNT = /^\d{1,11}(\.\d{1,4})?$/;
const ATTEMPT = /^[\w-]{16,64}$/;
const ZIP = /^[\dA-Z][\dA-Z -]{1,8}[\dA-Z]$/i;
/** A run of digits as long as a card number, which does not belong in a name. */
const LIKE_A_NUMBER = /\d(?:[ -]?\d){11}/;

/** Returns true if a form is complete: it contains the key that recognizes a second submission, and the amount that the payer saw. */
export function isWhole({ attempt, amount }: Filled, { allowPartial }: PayView): boolean {
  return ATTEMPT.test(attempt) && (allowPartial || AMOUNT.test(amount));
}

export function readForm(form: URLSearchParams, view: PayView): Filled {
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
    currency: text('currency'),
    name: text('name'),
    number: text('number'),
    expiry: text('expiry'),
    cvv: text('cvv'),
    zip: text('zip'),
    routing: text('routing').replace(/[ -]/g, ''),
    account: text('account'),
    accountType: text('accountType') === 'savings' ? 'savings' : 'checking',
    email: text('email'),
  };
}

/** Returns the parts of a form that may be shown again or stored in a cookie: nothing with which one could pay, wherever it was typed. */
export function keptOf({ method, amount, name, zip, routing, accountType, email }: Filled) {
  const texts = Object.entries({ amount, name, zip, routing, accountType, email }).filter(([, text]) => !LIKE_A_NUMBER.test(text));
  return {
    method,
    ...(Object.fromEntries(texts) as Partial<Record<'amount' | 'name' | 'zip' | 'routing' | 'accountType' | 'email', string>>),
  };
}

/** An amount without currency and marks of thousands; a comma before one or two digits is a decimal point. */
function amountAsTyped(text: string, { payable }: PayView): string {
  const bare = text.replaceAll(payable.currency, '').replace(/[\s$€£]/g, '');
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) return bare.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  const decimal = /^\d+,\d{1,2}$/.test(bare) ? bare.replace(',', '.') : bare;
  return decimal.replace(/^0+(?=\d)/, '');
}

/** Returns all problems of a form together, because number and code must be typed again. */
export function faultsOf(filled: Filled, view: PayView, { errors }: Words): Faults {
  const faults: Partial<Record<FieldName, string>> = {};
  const need = (name: FieldName, isRight: (text: string) => boolean) => {
    if (filled[name] === '') faults[name] = errors[name].missing;
    else if (!isRight(filled[name])) faults[name] = errors[name].wrong;
  };
  if (view.allowPartial) need('amount', (text) => AMOUNT.test(text));
  if (filled.method === 'card') {
    need('number', (text) => isCardNumber(text.replace(/[ -]/g, '')));
    need('expiry', (text) => expiryOf(text) !== null);
    if (view.requireCvv) need('cvv', (text) => /^\d{3,4}$/.test(text));
    if (view.requireZip) need('zip', (text) => ZIP.test(text));
  } else {
    need('routing', (text) => /^\d{9}$/.test(text));
    need('account', (text) => /^\d{4,17}$/.test(text.replace(/[ -]/g, '')));
  }
  need('name', (text) => text.length <= NAME_MAX && !LIKE_A_NUMBER.test(text));
  if (filled.email !== '') need('email', (text) => isEmailAddress(text) && !LIKE_A_NUMBER.test(text));
  return faults;
}

/** Returns the payment method of a form without problems. */
export function methodOf(filled: Filled, { requireCvv }: PayView): PaymentMethodInput {
  const { routing, account, accountType, name } = filled;
  if (filled.method === 'ach') return { kind: 'ach', accountNumber: account, routingNumber: routing, accountType, accountHolderName: name };
  const { month, year } = expiryOf(filled.expiry) ?? { month: '', year: '' };
  return { kind: 'card', number: filled.number, expiryMonth: month, expiryYear: year, ...(requireCvv ? { cvv: filled.cvv } : {}) };
}
