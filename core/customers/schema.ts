import { table } from '#core/database';

export interface CustomerRow {
  tenant_id: string;
  id: string;
  merchant_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  /** JSON text. */
  address: string | null;
  notes: string | null;
  metadata: string | null;
  default_method_id: string | null;
  /** Set when it was deleted: its transactions still name it, nobody else sees it. */
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
}

export const CUSTOMERS = table<CustomerRow>(
  'customers',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    first_name: 'text?',
    last_name: 'text?',
    email: 'text?',
    phone: 'text?',
    company: 'text?',
    address: 'text?',
    notes: 'text?',
    metadata: 'text?',
    default_method_id: 'text?',
    deleted_at: 'text?',
    created_at: 'text',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'customers_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] }],
  },
);

/** A card or account on file. What charges it lies in the vault under its token. */
export interface MethodRow {
  tenant_id: string;
  id: string;
  customer_id: string;
  merchant_id: string;
  kind: 'card' | 'ach';
  token: string;
  /** The same for the same number within a tenant. */
  fingerprint: string;
  brand: string | null;
  last4: string;
  expiry_month: string | null;
  expiry_year: string | null;
  /** The last day of the expiry's month; null for accounts. */
  expires_on: string | null;
  account_type: string | null;
  /** What the customer agreed to when it was stored, and when. */
  consent_text: string | null;
  consent_at: string | null;
  created_at: string;
  updated_at: string;
}

export const PAYMENT_METHODS = table<MethodRow>(
  'payment_methods',
  {
    tenant_id: 'text',
    id: 'text',
    customer_id: 'text',
    merchant_id: 'text',
    kind: 'text',
    token: 'text',
    fingerprint: 'text',
    brand: 'text?',
    last4: 'text',
    expiry_month: 'text?',
    expiry_year: 'text?',
    expires_on: 'text?',
    account_type: 'text?',
    consent_text: 'text?',
    consent_at: 'text?',
    created_at: 'text',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'customer_id', 'fingerprint']],
    indexes: [{ name: 'payment_methods_by_expiry', columns: ['tenant_id', 'expires_on'], where: 'expires_on IS NOT NULL' }],
  },
);

/** What a customer is found by: each word in hexadecimal, so that what begins with it is one range of the key in every collation. */
export interface WordRow {
  tenant_id: string;
  word: string;
  customer_id: string;
}

export const CUSTOMER_WORDS = table<WordRow>(
  'customer_words',
  { tenant_id: 'text', word: 'text', customer_id: 'text' },
  {
    key: ['tenant_id', 'word', 'customer_id'],
    indexes: [{ name: 'customer_words_by_customer', columns: ['tenant_id', 'customer_id'] }],
  },
);
