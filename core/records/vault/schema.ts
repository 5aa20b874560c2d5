import { integer, type RowOf, table, text } from '#core/database';

/** The installation key, wrapped by the master key. The table has one row, which belongs to no tenant. */
export const MASTER_KEYS = table(
  'master_keys',
  {
    id: text.of<'current'>(),
    /** Identifies the master key. */
    key_id: text,
    wrapped: text,
    /** Time at which this master key came into use. */
    since: text,
    /** Time at which a recovery file of this master key was confirmed as saved. */
    recovery_saved_at: text.optional,
    /** ID of the installation, which its other parts repeat. */
    installation_id: text,
  },
  { key: ['id'] },
);

export type MasterKeyRow = RowOf<typeof MASTER_KEYS>;

/** A tenant's data key of one version, wrapped by the master key. */
export const DATA_KEYS = table(
  'data_keys',
  {
    tenant_id: text,
    version: integer,
    wrapped: text,
    created_at: text,
  },
  { key: ['tenant_id', 'version'] },
);

export type DataKeyRow = RowOf<typeof DATA_KEYS>;

/** The key of one owner, such as a customer, wrapped by its tenant's data key. Destroying it destroys everything that was sealed for the owner. */
export const OWNER_KEYS = table(
  'owner_keys',
  {
    tenant_id: text,
    owner: text,
    /** Version of the data key that wraps it. */
    key_version: integer,
    wrapped: text,
  },
  { key: ['tenant_id', 'owner'], indexes: [{ name: 'owner_keys_by_key_version', columns: ['tenant_id', 'key_version', 'owner'] }] },
);

export type OwnerKeyRow = RowOf<typeof OWNER_KEYS>;

/** A card or bank account. Its number, or its reference at the gateway that stores it, is sealed; details that may be shown are in separate columns. */
export const VAULT = table(
  'vault_entries',
  {
    tenant_id: text,
    id: text,
    kind: text.of<'card' | 'ach'>(),
    /** Owner whose key encrypts it; null for the tenant's data key. */
    owner: text.optional,
    /** Merchant that may charge it; null means every merchant of the tenant. The owner decides for an owner's entry. */
    merchant_id: text.optional,
    /** Version of the data key that seals it; 0 if an owner's key does. */
    key_version: integer,
    sealed: text,
    fingerprint: text,
    brand: text.optional,
    /** First six digits of a card. */
    bin: text.optional,
    last4: text,
    expiry_month: text.optional,
    expiry_year: text.optional,
    account_type: text.optional,
    /** Gateway that stores the card and alone can charge it: `sealed` is its reference there. Null if the number is sealed. */
    gateway_id: text.optional,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'vault_entries_by_key_version', columns: ['tenant_id', 'key_version', 'id'] },
      { name: 'vault_entries_by_fingerprint', columns: ['tenant_id', 'fingerprint', 'id'] },
      { name: 'vault_entries_by_owner', columns: ['tenant_id', 'owner'], where: 'owner IS NOT NULL' },
    ],
  },
);

export type VaultRow = RowOf<typeof VAULT>;
