import { integer, type RowOf, table, text } from '#core/database';

/** A stored audit entry with its position in the chain. */
export const AUDIT = table(
  'audit_entries',
  {
    tenant_id: text,
    n: integer,
    id: text,
    /** Real time. */
    at: text,
    actor: text,
    actor_id: text,
    action: text,
    /** Path of the changed resource, such as `merchants/mer_…/branding`. */
    resource: text,
    merchant_id: text.optional,
    /** JSON of the changed fields, before and after. */
    before: text.optional,
    after: text.optional,
    ip: text.optional,
    /** Set for security activity only. */
    user_agent: text.optional,
    request_id: text,
    previous_hash: text,
    hash: text,
  },
  {
    key: ['tenant_id', 'n'],
    indexes: [
      { name: 'audit_entries_by_resource', columns: ['tenant_id', 'resource', 'n'] },
      { name: 'audit_entries_by_action', columns: ['tenant_id', 'action', 'n'] },
    ],
  },
);

export type AuditRow = RowOf<typeof AUDIT>;

export const AUDIT_HEADS = table('audit_heads', { tenant_id: text, n: integer, hash: text, seal: text }, { key: ['tenant_id'] });

/** The point before the first entry of each tenant that is still in the database. Entries up to it are in archives. A tenant without a row has none there. */
export const AUDIT_STARTS = table('audit_starts', { tenant_id: text, n: integer, hash: text, seal: text }, { key: ['tenant_id'] });
