import { integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Channel } from '#shared/channels';

export const CUSTOMERS = table(
  'customers',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    first_name: text.optional,
    last_name: text.optional,
    email: text.optional,
    phone: text.optional,
    company: text.optional,
    /** The name by which lists are sorted. */
    name_key: text.optional,
    /** JSON text. */
    address: text.optional,
    notes: text.optional,
    metadata: text.optional,
    default_method_id: text.optional,
    /** Time of the deletion. Earlier transactions still refer to the customer; lists do not show it. */
    deleted_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'customers_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'customers_by_email', columns: ['tenant_id', 'merchant_id', 'email'], where: 'email IS NOT NULL' },
      { name: 'customers_by_name', columns: ['tenant_id', 'merchant_id', 'name_key', 'id'] },
      { name: 'customers_of_tenant_by_name', columns: ['tenant_id', 'name_key', 'id'] },
    ],
    counts: { by: ['merchant_id'], unless: 'deleted_at' },
  },
);

export type CustomerRow = RowOf<typeof CUSTOMERS>;

/** A card or bank account on file. The data to charge it is in the vault under its token. */
export const PAYMENT_METHODS = table(
  'payment_methods',
  {
    tenant_id: text,
    id: text,
    customer_id: text,
    merchant_id: text,
    kind: text.of<'card' | 'ach'>(),
    token: text,
    /** Equal for equal numbers within a tenant. */
    fingerprint: text,
    brand: text.optional,
    last4: text,
    expiry_month: text.optional,
    expiry_year: text.optional,
    /** Last day of the expiry month; null for bank accounts. */
    expires_on: text.optional,
    account_type: text.optional,
    /** Text that the customer agreed to when the method was stored, and the time. */
    consent_text: text.optional,
    consent_at: text.optional,
    /** Gateway that stores the card and alone can charge it; null if the vault has the number. */
    gateway_id: text.optional,
    /** Channel by which the customer agreed to later charges; null if it was not recorded. */
    agreement_channel: text.of<Channel>().optional,
    /** Identifier of the method at an earlier provider; null if it was not imported. */
    external_id: text.optional,
    /** Identifier that the card network gave the first payment of the card, so that later ones refer to it at any processor. */
    network_transaction_id: text.optional,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'customer_id', 'fingerprint']],
    indexes: [
      { name: 'payment_methods_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      { name: 'payment_methods_by_expiry', columns: ['tenant_id', 'expires_on'], where: 'expires_on IS NOT NULL' },
      { name: 'payment_methods_by_fingerprint', columns: ['tenant_id', 'merchant_id', 'fingerprint'] },
    ],
  },
);

export type MethodRow = RowOf<typeof PAYMENT_METHODS>;

/** Search words of a customer, in hexadecimal, so that a prefix is a range of the key in every collation. */
export const CUSTOMER_WORDS = table(
  'customer_words',
  {
    tenant_id: text,
    word: text,
    customer_id: text,
  },
  {
    key: ['tenant_id', 'word', 'customer_id'],
    indexes: [{ name: 'customer_words_by_customer', columns: ['tenant_id', 'customer_id'] }],
  },
);

/**
 * Links to the page on which a customer replaces a card. The address is signed, so the row contains no secret. A link is used once, and a
 * use ends the other open links of the same payment method.
 */
export const UPDATE_LINKS = table(
  'card_update_links',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    customer_id: text,
    /** Payment method to replace; null if the customer had none. */
    payment_method_id: text.optional,
    /** Subscription for which the link was created. */
    subscription_id: text.optional,
    /** Link to the customer's page on which the customer opened it; it ends with the session there. Null for any other link. */
    page_link_id: text.optional,
    expires_ms: integer.of<TenantTime>(),
    used_at: text.optional,
    created_by: text,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'card_update_links_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      { name: 'card_update_links_by_id', columns: ['id'] },
    ],
  },
);

export type UpdateLinkRow = RowOf<typeof UPDATE_LINKS>;

/** Identifiers of customers at earlier providers. */
export const EXTERNAL_IDS = table(
  'customer_external_ids',
  {
    tenant_id: text,
    merchant_id: text,
    /** Provider, such as `stripe`. */
    source: text,
    external_id: text,
    customer_id: text,
    created_at: text,
  },
  {
    key: ['tenant_id', 'merchant_id', 'source', 'external_id'],
    indexes: [{ name: 'customer_external_ids_by_customer', columns: ['tenant_id', 'customer_id'] }],
  },
);

export type ExternalIdRow = RowOf<typeof EXTERNAL_IDS>;
