import { ServiceError } from '#core/kernel';
import type { Customer, CustomerAddress, PaymentMethod } from './records.ts';
import type { CustomerRow, MethodRow } from './schema.ts';

/** The customer and payment method of a payment. */
export interface Payer {
  readonly customerId: string;
  readonly merchantId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly address: CustomerAddress | null;
  /** The requested payment method, or else the default; null if there is none. */
  readonly method: PaymentMethod | null;
}

/** Fields of a customer. Null clears a field. */
export interface CustomerInput {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly company?: string | null;
  readonly address?: CustomerAddress | null;
  readonly notes?: string | null;
  readonly metadata?: Record<string, unknown> | null;
}

const text = (value: string | null | undefined) =>
  value === undefined ? undefined : value === null || value.trim() === '' ? null : value.trim();
const json = (value: object | null | undefined) => (value === undefined ? undefined : value === null ? null : JSON.stringify(value));

/** Returns the columns of the given fields. */
export function columnsOf(input: CustomerInput): Partial<CustomerRow> {
  const columns = {
    first_name: text(input.firstName),
    last_name: text(input.lastName),
    email: text(input.email)?.toLowerCase() ?? (input.email === undefined ? undefined : null),
    phone: text(input.phone),
    company: text(input.company),
    address: json(input.address),
    notes: text(input.notes),
    metadata: json(input.metadata),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** Returns the text by which a customer is sorted: its name, company or email address in lower case. */
export const nameKeyOf = (row: Pick<CustomerRow, 'first_name' | 'last_name' | 'company' | 'email'>): string =>
  (nameOf(row) ?? row.email ?? '').toLowerCase();

/** Checks that a customer has a name, a company or an email address, so that it can be found. @throws ServiceError REQUIRED_FIELD_MISSING */
export function checkIdentifiable({
  first_name,
  last_name,
  company,
  email,
}: Pick<CustomerRow, 'first_name' | 'last_name' | 'company' | 'email'>): void {
  if (first_name !== null || last_name !== null || company !== null || email !== null) return;
  throw new ServiceError('REQUIRED_FIELD_MISSING', 'A customer needs a name, a company or an email address.', { field: 'email' });
}

/** Returns the fields of a customer that the audit log keeps. */
export function auditFields(row: CustomerRow): Readonly<Record<string, unknown>> {
  const { first_name, last_name, email, phone, company, address, notes, metadata, default_method_id } = row;
  return {
    firstName: first_name,
    lastName: last_name,
    email,
    phone,
    company,
    address: address === null ? null : JSON.parse(address),
    notes,
    metadata: metadata === null ? null : JSON.parse(metadata),
    defaultPaymentMethodId: default_method_id,
  };
}

export function toCustomer(
  row: CustomerRow,
  method: MethodRow | null,
  { lastPaymentAt, externalIds }: Pick<Customer, 'lastPaymentAt' | 'externalIds'>,
): Customer {
  return {
    customerId: row.id,
    merchantId: row.merchant_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    address: row.address === null ? null : (JSON.parse(row.address) as CustomerAddress),
    notes: row.notes,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
    externalIds,
    defaultPaymentMethodId: row.default_method_id,
    defaultPaymentMethod: method === null ? null : toMethod(method, row.default_method_id),
    lastPaymentAt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toMethod(row: MethodRow, defaultId: string | null): PaymentMethod {
  return {
    paymentMethodId: row.id,
    customerId: row.customer_id,
    type: row.kind,
    brand: row.brand,
    last4: row.last4,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    accountType: row.account_type,
    gatewayId: row.gateway_id,
    isDefault: row.id === defaultId,
    token: row.token,
    consentText: row.consent_text,
    consentAt: row.consent_at,
    agreementChannel: row.agreement_channel,
    externalId: row.external_id,
    hasNetworkTransactionId: row.network_transaction_id !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function nameOf({ first_name, last_name, company }: Pick<CustomerRow, 'first_name' | 'last_name' | 'company'>): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || company;
}
