import type { ApiFailure, Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { focusField } from '#renderer/kit/ui';
import { containsCardNumber } from '#shared/card-numbers';
import type { CustomerChange } from './queries.ts';

const ADDRESS_FIELDS = ['street', 'city', 'state', 'zip'] as const;
const OWN_FIELDS = ['firstName', 'lastName', 'company', 'email', 'phone', 'notes'] as const;
/** Names of the fields of the form. */
export type CustomerField = (typeof OWN_FIELDS)[number] | (typeof ADDRESS_FIELDS)[number];

/** Values of the fields. */
export type CustomerForm = Readonly<Record<CustomerField, string>>;

/** Form of a new customer. */
export const EMPTY_FORM: CustomerForm = {
  firstName: '',
  lastName: '',
  company: '',
  email: '',
  phone: '',
  street: '',
  city: '',
  state: '',
  zip: '',
  notes: '',
};

/** Returns the form of an existing customer. */
export function formOf(customer: Customer): CustomerForm {
  const { firstName, lastName, company, email, phone, notes, address } = customer;
  const { street, city, state, zip } = address ?? {};
  const given = { firstName, lastName, company, email, phone, street, city, state, zip, notes };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? ''])) as CustomerForm;
}

/**
 * Returns the changes of the form; for a new customer, everything that is filled in. Untouched fields keep changes of other workstations.
 */
export function changeOf(form: CustomerForm, country: string, before?: Customer): CustomerChange {
  const old = before ? formOf(before) : EMPTY_FORM;
  const text = (name: CustomerField) => (name === 'phone' ? phoneNumber(form.phone, country) : form[name].trim());
  const isTouched = (name: CustomerField) => text(name) !== old[name];
  const changedFields = OWN_FIELDS.filter(isTouched).map((name) => [name, text(name) || null]);
  if (!ADDRESS_FIELDS.some(isTouched)) return Object.fromEntries(changedFields);
  const addressEntries = ADDRESS_FIELDS.map((name) => [name, text(name)]).filter(([, value]) => value !== '');
  const existingCountry = before?.address?.country;
  const address =
    addressEntries.length === 0 ? null : { ...Object.fromEntries(addressEntries), ...(existingCountry && { country: existingCountry }) };
  return { ...Object.fromEntries(changedFields), address };
}

/** Countries of the calling code 1, whose ten digits are the whole number. */
const CALLING_CODE_ONE = new Set(['US', 'CA']);

/**
 * Returns a typed number in the form of the service: (207) 555-0142 of a merchant in Maine becomes +12075550142. Unclear input stays
 * unchanged.
 */
function phoneNumber(text: string, country: string): string {
  const trimmed = text.trim();
  if (!/^\+?[\d\s().-]+$/.test(trimmed)) return trimmed;
  const digits = trimmed.replace(/\D/g, '');
  if (trimmed.startsWith('+')) return `+${digits}`;
  if (CALLING_CODE_ONE.has(country) && digits.length === 10) return `+1${digits}`;
  return CALLING_CODE_ONE.has(country) && digits.length === 11 && digits.startsWith('1') ? `+${digits}` : trimmed;
}

/** Problems by field. */
export type Problems = Readonly<Partial<Record<CustomerField, string>>>;

const CARD_IN_NOTES = t('This text contains a card number. Remove it, and save the card with Add card.');

/** Returns the problems that prevent sending: card numbers belong into the vault only. */
export function problemsOf(form: CustomerForm): Problems {
  const withCardNumber = Object.entries(form).filter(([name, text]) => name !== 'phone' && containsCardNumber(text));
  return Object.fromEntries(withCardNumber.map(([name]) => [name, CARD_IN_NOTES]));
}

const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_EMAIL: t('Enter a valid email address.'),
  INVALID_PHONE: t('Enter the number with its country code: +12075550142.'),
};

/** Returns the refusal of the service by field; empty if it is about none of the fields. */
export function problemsFrom(failure: ApiFailure | null): Problems {
  const name = failure?.field?.replace(/^address\./, '');
  const isField = [...OWN_FIELDS, ...ADDRESS_FIELDS].some((field) => field === name);
  return failure && name && isField ? { [name]: MESSAGES[failure.code] ?? failure.message } : {};
}

/** Returns the ID of a field's element. */
export const fieldId = (name: CustomerField) => `customer-${name}`;

/** Focuses the first field with a problem. */
export function focusFirstProblem(problems: Problems): void {
  const [first] = [...OWN_FIELDS, ...ADDRESS_FIELDS].filter((name) => problems[name]);
  if (first) focusField(fieldId(first));
}
