import type { ApiFailure, Customer } from '#renderer/client';
import { focusField } from '#renderer/ui';
import { containsCardNumber } from '#shared/card-numbers';
import type { CustomerChange } from './queries.ts';

const ADDRESS_FIELDS = ['street', 'city', 'state', 'zip'] as const;
const OWN_FIELDS = ['firstName', 'lastName', 'company', 'email', 'phone', 'notes'] as const;
/** The fields of the form by name. */
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

/** The fields filled with what is on file. */
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
  const own = OWN_FIELDS.filter(isTouched).map((name) => [name, text(name) || null]);
  if (!ADDRESS_FIELDS.some(isTouched)) return Object.fromEntries(own);
  const lines = ADDRESS_FIELDS.map((name) => [name, text(name)]).filter(([, value]) => value !== '');
  const abroad = before?.address?.country;
  const address = lines.length === 0 ? null : { ...Object.fromEntries(lines), ...(abroad && { country: abroad }) };
  return { ...Object.fromEntries(own), address };
}

/** Countries of the calling code 1, whose ten digits are the whole number. */
const CODE_ONE = new Set(['US', 'CA']);

/**
 * Returns a typed number in the form of the service: (207) 555-0142 of a merchant in Maine becomes +12075550142. Unclear input stays
 * unchanged.
 */
function phoneNumber(text: string, country: string): string {
  const written = text.trim();
  if (!/^\+?[\d\s().-]+$/.test(written)) return written;
  const digits = written.replace(/\D/g, '');
  if (written.startsWith('+')) return `+${digits}`;
  if (CODE_ONE.has(country) && digits.length === 10) return `+1${digits}`;
  return CODE_ONE.has(country) && digits.length === 11 && digits.startsWith('1') ? `+${digits}` : written;
}

/** Problems by field. */
export type Faults = Readonly<Partial<Record<CustomerField, string>>>;

const CARD_IN_NOTES = 'This holds a card number. Take it out, and keep the card with Add card.';

/** Returns the problems that prevent sending: card numbers belong into the vault only. */
export function problemsOf(form: CustomerForm): Faults {
  const held = Object.entries(form).filter(([name, text]) => name !== 'phone' && containsCardNumber(text));
  return Object.fromEntries(held.map(([name]) => [name, CARD_IN_NOTES]));
}

const WORDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL: 'This is no e-mail address.',
  INVALID_PHONE: 'Write the number with its country: +12075550142.',
};

/** The service's refusal beside the field that it is about; empty where it is about none of them. */
export function faultsFrom(failure: ApiFailure | null): Faults {
  const name = failure?.field?.replace(/^address\./, '');
  const isField = [...OWN_FIELDS, ...ADDRESS_FIELDS].some((field) => field === name);
  return failure && name && isField ? { [name]: WORDS[failure.code] ?? failure.message } : {};
}

/** Returns the ID of a field's element. */
export const fieldId = (name: CustomerField) => `customer-${name}`;

/** Focuses the first field with a problem. */
export function focusFault(faults: Faults): void {
  const [first] = [...OWN_FIELDS, ...ADDRESS_FIELDS].filter((name) => faults[name]);
  if (first) focusField(fieldId(first));
}
