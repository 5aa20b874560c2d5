import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';

/** Address that receives the last entry of a tenant's audit log every day. A tenant without one has no row. */
export const AUDIT_ANCHORS = table(
  'audit_anchors',
  {
    tenant_id: text,
    id: text,
    email: text,
    /** Number of the last entry that was sent; 0 before the first one. */
    sent_n: integer,
    sent_at: text.optional,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'audit_anchors_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type AuditAnchorRow = RowOf<typeof AUDIT_ANCHORS>;
