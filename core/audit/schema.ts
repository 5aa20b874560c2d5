import { type ChainHead, table } from '#core/database';

/** An entry as it is kept: what was done, and its place in the chain. */
export interface AuditRow {
  tenant_id: string;
  n: number;
  id: string;
  /** Real time. */
  at: string;
  actor: string;
  actor_id: string;
  action: string;
  /** The path of what was changed, such as `merchants/mer_…/branding`. */
  resource: string;
  merchant_id: string | null;
  /** JSON of the fields that changed, as they were. */
  before: string | null;
  after: string | null;
  ip: string | null;
  /** Of security activity alone. */
  user_agent: string | null;
  request_id: string;
  previous_hash: string;
  hash: string;
}

export const AUDIT = table<AuditRow>(
  'audit_entries',
  {
    tenant_id: 'text',
    n: 'integer',
    id: 'text',
    at: 'text',
    actor: 'text',
    actor_id: 'text',
    action: 'text',
    resource: 'text',
    merchant_id: 'text?',
    before: 'text?',
    after: 'text?',
    ip: 'text?',
    user_agent: 'text?',
    request_id: 'text',
    previous_hash: 'text',
    hash: 'text',
  },
  {
    key: ['tenant_id', 'n'],
    indexes: [
      { name: 'audit_entries_by_resource', columns: ['tenant_id', 'resource', 'n'] },
      { name: 'audit_entries_by_action', columns: ['tenant_id', 'action', 'n'] },
    ],
  },
);

export const AUDIT_HEADS = table<ChainHead>(
  'audit_heads',
  { tenant_id: 'text', n: 'integer', hash: 'text', seal: 'text' },
  { key: ['tenant_id'] },
);
