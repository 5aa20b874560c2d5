import { table } from '#core/database';

/** The key that a whole installation hangs on, wrapped by the master key. It belongs to no tenant: there is one row. */
export interface MasterKeyRow {
  id: 'current';
  /** By which a master key is recognised; empty until an installation from before has been opened once. */
  key_id: string;
  wrapped: string;
  /** When this master key came into use. */
  since: string;
  /** When a recovery file of this master key was said to be kept. */
  recovery_saved_at: string | null;
}

export const MASTER_KEYS = table<MasterKeyRow>(
  'master_keys',
  { id: 'text', key_id: 'text', wrapped: 'text', since: 'text', recovery_saved_at: 'text?' },
  { key: ['id'] },
);

/** A tenant's data key of one version, wrapped by the master key. */
export interface DataKeyRow {
  tenant_id: string;
  version: number;
  wrapped: string;
  created_at: string;
}

export const DATA_KEYS = table<DataKeyRow>(
  'data_keys',
  { tenant_id: 'text', version: 'integer', wrapped: 'text', created_at: 'text' },
  { key: ['tenant_id', 'version'] },
);

/** The key of one owner, such as a customer, wrapped by its tenant's data key. Destroying it destroys all that was sealed for the owner. */
export interface OwnerKeyRow {
  tenant_id: string;
  owner: string;
  /** The version of the data key that wraps it. */
  key_version: number;
  wrapped: string;
}

export const OWNER_KEYS = table<OwnerKeyRow>(
  'owner_keys',
  { tenant_id: 'text', owner: 'text', key_version: 'integer', wrapped: 'text' },
  { key: ['tenant_id', 'owner'], indexes: [{ name: 'owner_keys_by_key_version', columns: ['tenant_id', 'key_version', 'owner'] }] },
);

/** A card or bank account: what identifies it is sealed, what may be shown lies beside it. */
export interface VaultRow {
  tenant_id: string;
  id: string;
  kind: 'card' | 'ach';
  /** Whose key seals it; null where the tenant's data key does. */
  owner: string | null;
  /** Who may charge it; null is every merchant of the tenant. An owner's entry goes by its owner. */
  merchant_id: string | null;
  /** The version of the data key that seals it; 0 where an owner's key does. */
  key_version: number;
  sealed: string;
  fingerprint: string;
  brand: string | null;
  /** First six digits of a card. */
  bin: string | null;
  last4: string;
  expiry_month: string | null;
  expiry_year: string | null;
  account_type: string | null;
  created_at: string;
}

export const VAULT = table<VaultRow>(
  'vault_entries',
  {
    tenant_id: 'text',
    id: 'text',
    kind: 'text',
    owner: 'text?',
    merchant_id: 'text?',
    key_version: 'integer',
    sealed: 'text',
    fingerprint: 'text',
    brand: 'text?',
    bin: 'text?',
    last4: 'text',
    expiry_month: 'text?',
    expiry_year: 'text?',
    account_type: 'text?',
    created_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'vault_entries_by_key_version', columns: ['tenant_id', 'key_version', 'id'] },
      { name: 'vault_entries_by_owner', columns: ['tenant_id', 'owner'], where: 'owner IS NOT NULL' },
    ],
  },
);
