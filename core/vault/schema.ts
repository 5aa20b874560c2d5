import { table } from '#core/database';

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

/** A card or bank account: what identifies it is sealed, what may be shown lies beside it. */
export interface VaultRow {
  tenant_id: string;
  id: string;
  kind: 'card' | 'ach';
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
  { key: ['tenant_id', 'id'], indexes: [{ name: 'vault_entries_by_key_version', columns: ['tenant_id', 'key_version', 'id'] }] },
);
