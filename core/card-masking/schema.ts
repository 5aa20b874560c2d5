import { integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';

/** Search of a tenant's stored texts for card numbers. It runs once, for rows that were written before card numbers were rejected. */
export const CARD_NUMBER_SCANS = table(
  'card_number_scans',
  {
    tenant_id: text,
    id: text,
    due_ms: integer.of<RealTime>().optional,
    lease_ms: integer,
    fence: integer,
    /** JSON with the current table and the key of the last searched row; null before the first table. */
    position: text.optional,
    rows_masked: integer,
    finished_at: text.optional,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'card_number_scans_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

export type CardNumberScanRow = RowOf<typeof CARD_NUMBER_SCANS>;
