import { createHash } from 'node:crypto';
import { isEmailAddress, isStorable, ServiceError } from '#core/kernel';
import type { BankAccountInput, BankSource, CardInput, CardSource } from '#core/records/vault';
import type { CustomerInput, ExternalId } from '#core/sales/customers';
import { containsCardNumber, redactLongNumbers } from '#shared/card-numbers';
import { type Expiry, expiryOf } from '#shared/expiry';
import { isRoundedNumber, monthOf } from '#shared/file-cells';
import { stateLimit } from '#shared/surcharge-limits';
import { usZip } from '#shared/us-zip';
import type { Field, Layout } from './layouts.ts';

/** Reason why a record, or its card, is not imported. */
export type Reason =
  | 'unreadable'
  | 'missing_name'
  | 'missing_id'
  | 'rounded_id'
  | 'invalid_email'
  | 'invalid_card_number'
  | 'rounded_card_number'
  | 'masked_card_number'
  | 'not_a_test_card'
  | 'invalid_expiry'
  | 'expired_card'
  | 'invalid_bank_account'
  | 'several_emails'
  | 'invalid_phone'
  | 'card_number_in_text'
  | 'text_too_long';

/** A customer of a file with at most one payment method. */
export interface ImportRecord {
  /** Identifiers at earlier providers; the first one identifies the customer within the file. */
  readonly ids: readonly ExternalId[];
  readonly customer: CustomerInput;
  readonly source: CardSource | BankSource | null;
  /** True if the file has a card or a bank account that cannot be stored. The customer is imported without it only if the shop wants so. */
  readonly isMethodUnreadable: boolean;
  readonly methodId: string | null;
  readonly networkTransactionId: string | null;
  readonly isDefault: boolean;
  readonly consentText: string | null;
  readonly consentAt: string | null;
}

/** The customer of a line, as a report names it. */
interface Person {
  readonly name: string | null;
  readonly externalId: string | null;
}

/** A checked record: what is imported of it, and the reason for what is not; without a record, nothing is. */
export interface CheckedRecord {
  readonly record: ImportRecord | null;
  readonly reason: Reason | null;
  /** Null if the line is unreadable. */
  readonly person: Person | null;
}

/** Rules of the account for records. */
export interface RecordRules {
  readonly checkCard: (input: CardInput) => CardSource;
  readonly checkBankAccount: (input: BankAccountInput) => BankSource;
  /** Returns a phone number in E.164; null if the text is no phone number. */
  readonly phoneOf: (text: string) => string | null;
  /** Returns true if the account may store the card number. */
  readonly allowsCard: (number: string) => boolean;
  /** Country of the merchant. */
  readonly country: string;
}

/** Longest texts, as for customers that are created by hand. */
const LENGTHS: Readonly<Partial<Record<Field, number>>> = {
  customerId: 100,
  methodId: 100,
  defaultMethodId: 100,
  name: 200,
  cardName: 200,
  firstName: 100,
  lastName: 100,
  company: 200,
  email: 254,
  phone: 60,
  street: 200,
  street2: 100,
  city: 100,
  state: 50,
  zip: 20,
  country: 60,
  notes: 2_000,
  networkTransactionId: 100,
  consentText: 1_000,
  consentAt: 40,
};
/** Fields with numbers that are sealed, and identifiers of a network, which may look like a card number. */
const NOT_TEXT: ReadonlySet<Field> = new Set(['number', 'accountNumber', 'routingNumber', 'phone', 'networkTransactionId']);

const IDENTIFIERS: ReadonlySet<Field> = new Set(['customerId', 'methodId']);

/** Checks one record of a layout. Numbers never become part of a reason. */
export function checkRecord(layout: Layout, cells: ReadonlyMap<string, string>, rules: RecordRules, extra: RecordExtra): CheckedRecord {
  const read = (field: Field): string | null => {
    for (const name of layout.fields[field] ?? []) {
      const value = cells.get(name);
      if (value !== undefined && value !== '') return value;
    }
    return null;
  };
  const rejected = (reason: Reason, person: Person | null = personOf(read)): CheckedRecord => ({ record: null, reason, person });
  for (const field of Object.keys(layout.fields) as Field[]) {
    const text = read(field);
    if (text === null) continue;
    if (!isStorable(text) || text.includes('\uFFFD')) return rejected('unreadable', null);
    if (text.length > (LENGTHS[field] ?? 60)) return rejected('text_too_long');
    if (!NOT_TEXT.has(field) && containsCardNumber(text)) return rejected('card_number_in_text');
    // Rounded identifiers of several customers are equal.
    if (IDENTIFIERS.has(field) && isRoundedNumber(text)) return rejected('rounded_id');
  }
  const { customer, notes, reason: contactReason } = customerOf(read, rules);
  if (customer.email && !isEmailAddress(customer.email)) return rejected('invalid_email');
  if (!customer.firstName && !customer.lastName && !customer.company && !customer.email) return rejected('missing_name');
  const method = methodOf(read, rules, customer);
  const customerId = read('customerId') ?? (layout.isList ? rowId(customer) : null);
  const methodId = read('methodId');
  if (customerId === null) return rejected('missing_id');
  const networkTransactionId = read('networkTransactionId')?.replace(/[[\]"']/g, '') ?? null;
  const ids = customerId === '' ? [] : [{ source: layout.source, id: customerId }];
  return {
    record: {
      ids: [...ids, ...extra.externalIds],
      customer: { ...customer, notes, ...(extra.metadata === null ? {} : { metadata: extra.metadata }) },
      source: 'reason' in method ? null : method.source,
      isMethodUnreadable: 'reason' in method && method.reason !== 'expired_card',
      methodId,
      networkTransactionId: networkTransactionId !== null && /^[\w-]{1,60}$/.test(networkTransactionId) ? networkTransactionId : null,
      isDefault: read('isDefault') === 'true' || (methodId !== null && read('defaultMethodId') === methodId),
      consentText: read('consentText'),
      consentAt: timeOrNull(read('consentAt')),
    },
    reason: 'reason' in method ? method.reason : contactReason,
    person: personOf(read),
  };
}

/** Returns what a report may show of a record that is not imported. */
function personOf(read: ReadField): Person {
  const full = [read('firstName'), read('lastName')].filter(Boolean).join(' ') || read('name') || read('cardName');
  const shown = (text: string | null) => (text === null || !isStorable(text) ? null : redactLongNumbers(text.slice(0, 200)).slice(0, 100));
  return { name: shown(full || read('company') || read('email')), externalId: shown(read('customerId')) };
}

/**
 * Returns an identifier for a customer of a list without identifiers, so that the same list imports nobody twice; empty for one with an email address, which
 * identifies the customer together with the name.
 */
function rowId({ firstName, lastName, company, email, phone, address }: CustomerInput): string {
  if (email) return '';
  const facts = [firstName, lastName, company, phone, address?.street, address?.zip].map((each) => (each ?? '').trim().toLowerCase());
  return `row-${createHash('sha256').update(facts.join('|')).digest('base64url').slice(0, 22)}`;
}

/** Parts of Paydesk's own records that are no texts. */
export interface RecordExtra {
  readonly externalIds: readonly ExternalId[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
}
export const NO_EXTRA: RecordExtra = { externalIds: [], metadata: null };

type ReadField = (field: Field) => string | null;

/** Returns the fields of the customer, the notes with what no field can take, and the reason for that. */
function customerOf(read: ReadField, { phoneOf, country: own }: RecordRules) {
  const name = fullName(read('name') ?? read('cardName'));
  const phone = read('phone');
  const [email = null, ...otherEmails] = (read('email')?.toLowerCase() ?? '').split(/[;,\s]+/).filter((part) => part !== '');
  const hasSeveral = otherEmails.length > 0 && [email ?? '', ...otherEmails].every(isEmailAddress);
  const knownPhone = phone === null ? null : phoneOf(phone);
  const street = [read('street'), read('street2')].filter(Boolean).join(', ');
  const [state, country] = [read('state'), read('country')];
  const address = { street: street || null, city: read('city'), state, zip: zipFrom(read('zip'), state, country, own), country };
  const given = Object.entries(address).filter(([, value]) => value !== null);
  const hasFirst = read('firstName') !== null;
  const hasLast = read('lastName') !== null;
  const customer: CustomerInput = {
    firstName: read('firstName') ?? (hasLast ? null : name.first),
    lastName: read('lastName') ?? (hasFirst ? null : name.last),
    company: read('company') ?? (hasFirst || hasLast ? null : name.company),
    email: hasSeveral ? email : (read('email')?.toLowerCase() ?? null),
    phone: knownPhone,
    address: given.length === 0 ? null : Object.fromEntries(given),
  };
  const isPhoneLost = phone !== null && knownPhone === null && !containsCardNumber(phone);
  const lost = [...(hasSeveral ? otherEmails : []), ...(isPhoneLost ? [phone] : [])];
  const notes = [read('notes'), ...lost].filter(Boolean).join('\n').slice(0, LENGTHS.notes) || null;
  const reason: Reason | null = hasSeveral ? 'several_emails' : phone !== null && knownPhone === null ? 'invalid_phone' : null;
  return { customer, notes, reason };
}

/** Words after a comma that do not begin a first name. */
const COMPANY_FORM = /^(?:inc|incorporated|llc|l\.l\.c|llp|ltd|limited|corp|co|plc|gmbh|ag|s\.?a|s\.?r\.?l|b\.?v|pty|pllc|pc)\b/i;
const NAME_SUFFIX = /^(?:jr|sr|ii|iii|iv|md|phd|esq|dds|cpa|rn)\.?$/i;

/** Divides a full name at its comma, as in "Marsh, Ann Maria", or at its last space. */
function fullName(name: string | null): { first: string | null; last: string | null; company: string | null } {
  if (name === null) return { first: null, last: null, company: null };
  const comma = name.indexOf(',');
  const rest = comma < 0 ? '' : name.slice(comma + 1).trim();
  if (COMPANY_FORM.test(rest)) return { first: null, last: null, company: name };
  if (rest !== '' && !NAME_SUFFIX.test(rest))
    return { first: rest.slice(0, 100), last: name.slice(0, comma).trim().slice(0, 100), company: null };
  const whole = rest === '' ? name.replace(/,\s*$/, '') : name.slice(0, comma);
  const at = whole.trim().lastIndexOf(' ');
  const [first, last] = at < 0 ? [null, whole.trim()] : [whole.slice(0, at).trim(), whole.slice(at + 1).trim()];
  return { first: first === null ? null : first.slice(0, 100), last: `${last}${rest && `, ${rest}`}`.slice(0, 100), company: null };
}

const UNITED_STATES = /^(?:us|usa|u\.s\.a?\.?|united states(?: of america)?)$/i;

/** Returns a ZIP code of the United States with the zeros that a spreadsheet removed; any other postal code as it is. */
function zipFrom(zip: string | null, state: string | null, country: string | null, own: string): string | null {
  if (zip === null) return null;
  const isUs = country === null ? own === 'US' && stateLimit('US', state) !== null : UNITED_STATES.test(country);
  return (isUs ? usZip(zip) : null) ?? zip;
}

function methodOf(
  read: ReadField,
  rules: RecordRules,
  customer: CustomerInput,
): { readonly source: CardSource | BankSource | null } | { readonly reason: Reason } {
  const number = read('number');
  if (number !== null) {
    if (isRoundedNumber(number)) return { reason: 'rounded_card_number' };
    if (/[x*•]/i.test(number)) return { reason: 'masked_card_number' };
    const { month, year } = expiryFrom(read);
    try {
      const source = rules.checkCard({ number, expiryMonth: month, expiryYear: year });
      return rules.allowsCard(source.number) ? { source } : { reason: 'not_a_test_card' };
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }
  const accountNumber = read('accountNumber');
  if (accountNumber === null) return { source: null };
  const holder = [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.company || '';
  const accountType = (read('accountType') ?? 'checking').toLowerCase();
  try {
    return {
      source: rules.checkBankAccount({
        accountNumber,
        routingNumber: read('routingNumber') ?? '',
        accountType: accountType === 'businesschecking' ? 'checking' : accountType,
        accountHolderName: read('accountHolderName') ?? holder,
      }),
    };
  } catch {
    return { reason: 'invalid_bank_account' };
  }
}

const REASONS: Readonly<Record<string, Reason>> = {
  INVALID_CARD_NUMBER: 'invalid_card_number',
  INVALID_EXPIRY: 'invalid_expiry',
  CARD_EXPIRED: 'expired_card',
};

function reasonOf(error: unknown): Reason {
  const reason = error instanceof ServiceError ? REASONS[error.code] : undefined;
  if (reason === undefined) throw error;
  return reason;
}

/**
 * Returns the expiry of a card from its parts, or from one text. A spreadsheet removes the zero of a text such as `0131`, and turns `12/31` into `31-Dec` and
 * `12/35` into `Dec-35`.
 */
function expiryFrom(read: ReadField): Expiry {
  const text = read('expiry');
  if (text === null) {
    const month = read('expiryMonth') ?? '';
    return { month: /^\p{L}{3,}/u.test(month) ? (monthOf(month) ?? month) : month, year: read('expiryYear') ?? '' };
  }
  const [, name, year] = /^(\p{L}{3,12})\.?[\s/-]*(\d{2}|\d{4})$/u.exec(text) ?? [];
  const [, yearFirst, nameLast] = /^(\d{2}|\d{4})[\s/-]+(\p{L}{3,12})\.?$/u.exec(text) ?? [];
  const month = monthOf(name ?? nameLast ?? '');
  const date = month === null ? (/^\d{3}$/.test(text) ? `0${text}` : text) : `${month}/${year ?? yearFirst}`;
  return expiryOf(date) ?? { month: '', year: '' };
}

function timeOrNull(text: string | null): string | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
