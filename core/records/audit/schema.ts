import { type BulkStatement, integer, type LogBlockRow, type RowOf, table, text } from '#core/database';

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

/** Entries in each block of numbers. */
export const ENTRIES_PER_BLOCK = 2_000;

/** Time of the first and the last entry of each full block of a log, with which a list of a period reads little else. */
export const AUDIT_BLOCKS = table(
  'audit_blocks',
  { tenant_id: text, block: integer, first_at: text, last_at: text },
  { key: ['tenant_id', 'block'] },
);

/** Writes the times of a full block. */
export const TIME_BLOCK: BulkStatement<LogBlockRow> = {
  columns: { tenant_id: 'text', block: 'integer' },
  sql: `INSERT INTO audit_blocks (tenant_id, block, first_at, last_at)
    SELECT e.tenant_id, r.block, min(e.at), max(e.at)
    FROM {rows} r CROSS JOIN audit_entries e
    WHERE e.tenant_id = r.tenant_id AND e.n > r.block * ${ENTRIES_PER_BLOCK} AND e.n <= (r.block + 1) * ${ENTRIES_PER_BLOCK}
    GROUP BY e.tenant_id, r.block
    ON CONFLICT (tenant_id, block) DO UPDATE SET first_at = excluded.first_at, last_at = excluded.last_at`,
};

export const AUDIT_HEADS = table('audit_heads', { tenant_id: text, n: integer, hash: text, seal: text }, { key: ['tenant_id'] });

/** The point before the first entry of each tenant that is still in the database. Entries up to it are in archives. A tenant without a row has none there. */
export const AUDIT_STARTS = table('audit_starts', { tenant_id: text, n: integer, hash: text, seal: text }, { key: ['tenant_id'] });

/**
 * The last entry of each tenant that a place outside of the database has received. The ID is the name of the place. A server that sends holds the lease,
 * in the time of the database; each claim has a new fence.
 */
export const AUDIT_STREAMS = table(
  'audit_streams',
  { tenant_id: text, id: text, n: integer, lease_ms: integer, fence: integer },
  { key: ['tenant_id', 'id'] },
);
