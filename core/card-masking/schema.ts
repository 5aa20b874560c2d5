import { table } from '#core/database';
import type { DueRow } from '#core/platform/scheduling';

/** The search of a tenant's stored texts for card numbers, made once for rows that are older than their refusal on write. */
export interface CardNumberScanRow extends DueRow {
  /** JSON: the table that is searched, and the key of the last row that was. Null before the first table. */
  position: string | null;
  rows_masked: number;
  finished_at: string | null;
}

export const CARD_NUMBER_SCANS = table<CardNumberScanRow>(
  'card_number_scans',
  {
    tenant_id: 'text',
    id: 'text',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    position: 'text?',
    rows_masked: 'integer',
    finished_at: 'text?',
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'card_number_scans_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);
