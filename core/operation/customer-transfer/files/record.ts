import { isEmailAddress, isStorable, ServiceError } from '#core/kernel';
import type { BankAccountInput, BankSource, CardInput, CardSource } from '#core/records/vault';
import type { CustomerInput, ExternalId } from '#core/sales/customers';
import { containsCardNumber } from '#shared/card-numbers';
import { type Expiry, expiryOf } from '#shared/expiry';
import type { Field, Layout } from './layouts.ts';

/** Reason why a record, or its card, is not imported. */
export type Reason =
  | 'unreadable'
  | 'missing_name'
  | 'missing_id'
  | 'invalid_email'
  | 'invalid_card_number'
  | 'rounded_card_number'
  | 'masked_card_number'
  | 'not_a_test_card'
  | 'invalid_expiry'
  | 'expired_card'
  | 'invalid_bank_account'
  | 'card_number_in_text'
  | 'text_too_long';

/** A customer of a file with at most one payment method. */
export interface ImportRecord {
  /** Identifiers at earlier providers; the first one identifies the customer within the file. */
  readonly ids: readonly ExternalId[];
  readonly customer: CustomerInput;
  readonly source: CardSource | BankSource | null;
  readonly methodId: string | null;
  readonly networkTransactionId: string | null;
  readonly isDefault: boolean;
  readonly consentText: string | null;
  readonly consentAt: string | null;
}

/** A checked record: what is imported of it, and the reason for what is not; without a record, nothing is. */
export interface CheckedRecord {
  readonly record: ImportRecord | null;
  readonly reason: Reason | null;
}

/** Rules of the account for records. */
export interface RecordRules {
  readonly checkCard: (input: CardInput) => CardSource;
  readonly checkBankAccount: (input: BankAccountInput) => BankSource;
  /** Returns a phone number in E.164; null if the text is no phone number. */
  readonly phoneOf: (text: string) => string | null;
  /** Returns true if the account may store the card number. */
  readonly allowsCard: (number: string) => boolean;
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

/** Checks one record of a layout. Numbers never become part of a reason. */
export function checkRecord(layout: Layout, cells: ReadonlyMap<string, string>, rules: RecordRules, extra: RecordExtra): CheckedRecord {
  const read = (field: Field): string | null => {
    for (const name of layout.fields[field] ?? []) {
      const value = cells.get(name);
      if (value !== undefined && value !== '') return value;
    }
    return null;
  };
  const rejected = (reason: Reason): CheckedRecord => ({ record: null, reason });
  for (const field of Object.keys(layout.fields) as Field[]) {
    const text = read(field);
    if (text === null) continue;
    if (!isStorable(text) || text.includes('\uFFFD')) return rejected('unreadable');
    if (text.length > (LENGTHS[field] ?? 60)) return rejected('text_too_long');
    if (!NOT_TEXT.has(field) && containsCardNumber(text)) return rejected('card_number_in_text');
  }
  const customer = customerOf(read, rules);
  if (customer.email && !isEmailAddress(customer.email)) return rejected('invalid_email');
  if (!customer.firstName && !customer.lastName && !customer.company && !customer.email) return rejected('missing_name');
  const method = methodOf(read, rules, customer);
  if ('reason' in method && method.reason !== 'expired_card') return rejected(method.reason);
  const customerId = read('customerId');
  const methodId = read('methodId');
  if (customerId === null) return rejected('missing_id');
  const networkTransactionId = read('networkTransactionId')?.replace(/[[\]"']/g, '') ?? null;
  return {
    record: {
      ids: [{ source: layout.source, id: customerId }, ...extra.externalIds],
      customer: { ...customer, ...(extra.metadata === null ? {} : { metadata: extra.metadata }) },
      source: 'reason' in method ? null : method.source,
      methodId,
      networkTransactionId: networkTransactionId !== null && /^[\w-]{1,60}$/.test(networkTransactionId) ? networkTransactionId : null,
      isDefault: read('isDefault') === 'true' || (methodId !== null && read('defaultMethodId') === methodId),
      consentText: read('consentText'),
      consentAt: timeOrNull(read('consentAt')),
    },
    reason: 'reason' in method ? method.reason : null,
  };
}

/** Parts of Paydesk's own records that are no texts. */
export interface RecordExtra {
  readonly externalIds: readonly ExternalId[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
}
export const NO_EXTRA: RecordExtra = { externalIds: [], metadata: null };

type ReadField = (field: Field) => string | null;

function customerOf(read: ReadField, { phoneOf }: RecordRules): CustomerInput {
  const [first, last] = splitName(read('name') ?? read('cardName'));
  const phone = read('phone');
  const street = [read('street'), read('street2')].filter(Boolean).join(', ');
  const address = { street: street || null, city: read('city'), state: read('state'), zip: read('zip'), country: read('country') };
  const given = Object.entries(address).filter(([, value]) => value !== null);
  return {
    firstName: read('firstName') ?? (read('lastName') === null ? first : null),
    lastName: read('lastName') ?? (read('firstName') === null ? last : null),
    company: read('company'),
    email: read('email')?.toLowerCase() ?? null,
    phone: phone === null ? null : phoneOf(phone),
    address: given.length === 0 ? null : Object.fromEntries(given),
    notes: read('notes'),
  };
}

/** Divides a full name at its last space. */
function splitName(name: string | null): [string | null, string | null] {
  if (name === null) return [null, null];
  const at = name.lastIndexOf(' ');
  return at < 0 ? [null, name.slice(0, 100)] : [name.slice(0, at).slice(0, 100), name.slice(at + 1).slice(0, 100)];
}

function methodOf(
  read: ReadField,
  rules: RecordRules,
  customer: CustomerInput,
): { readonly source: CardSource | BankSource | null } | { readonly reason: Reason } {
  const number = read('number');
  if (number !== null) {
    if (/^[\d.]+e\+?\d+$/i.test(number)) return { reason: 'rounded_card_number' };
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

/** Returns the expiry of a card from its parts, or from one text. A spreadsheet removes the zero of a text such as `0131`. */
function expiryFrom(read: ReadField): Expiry {
  const text = read('expiry');
  if (text === null) return { month: read('expiryMonth') ?? '', year: read('expiryYear') ?? '' };
  return expiryOf(/^\d{3}$/.test(text) ? `0${text}` : text) ?? { month: '', year: '' };
}

function timeOrNull(text: string | null): string | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
