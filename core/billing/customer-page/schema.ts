import { integer, type RowOf, table, text } from '#core/database';
import type { RealTime, TenantTime } from '#core/kernel';

/** Links to the page of a customer. Only the hash of the token is stored; the token itself is in the address. */
export const PAGE_LINKS = table(
  'customer_page_links',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    customer_id: text,
    /** SHA-256 of the token, which has 160 random bits. */
    token_hash: text,
    /** `staff`: created by a person; `email`: added to an email while it was sent. */
    source: text.of<'staff' | 'email'>(),
    expires_ms: integer.of<TenantTime>(),
    revoked_at: text.optional,
    revoked_by: text.optional,
    created_by: text,
    /** ID of the person who created it; null for a link in an email. */
    created_by_id: text.optional,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'customer_page_links_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      { name: 'customer_page_links_by_creator', columns: ['tenant_id', 'created_by_id'], where: 'created_by_id IS NOT NULL' },
      { name: 'customer_page_links_by_token', columns: ['token_hash'] },
      { name: 'customer_page_links_by_expiry', columns: ['tenant_id', 'expires_ms'] },
    ],
  },
);

export type PageLinkRow = RowOf<typeof PAGE_LINKS>;

/** Browsers in which a customer entered a code. The ID is the hash of the value of their cookie. */
export const PAGE_SESSIONS = table(
  'customer_page_sessions',
  {
    tenant_id: text,
    id: text,
    link_id: text,
    customer_id: text,
    expires_ms: integer.of<RealTime>(),
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'customer_page_sessions_by_link', columns: ['tenant_id', 'link_id'] },
      { name: 'customer_page_sessions_by_customer', columns: ['tenant_id', 'customer_id'] },
      { name: 'customer_page_sessions_by_expiry', columns: ['tenant_id', 'expires_ms'] },
    ],
  },
);

/** Addresses of customers that were changed in the last hours. No code is sent to them yet. */
export const CHANGED_CONTACTS = table(
  'customer_changed_contacts',
  {
    tenant_id: text,
    customer_id: text,
    channel: text.of<'email' | 'sms'>(),
    /** Time from which codes are sent to the address. */
    until_ms: integer.of<TenantTime>(),
  },
  {
    key: ['tenant_id', 'customer_id', 'channel'],
    indexes: [{ name: 'customer_changed_contacts_by_time', columns: ['tenant_id', 'until_ms'] }],
  },
);
