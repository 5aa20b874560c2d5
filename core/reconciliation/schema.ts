import { type GuardedUpdate, table } from '#core/database';
import type { DueRow } from '#core/platform/scheduling';

export type LineKind = 'capture' | 'refund';
export type Source = 'gateway' | 'import';
export const DISCREPANCY_TYPES = ['missing_in_settlement', 'missing_in_transactions', 'amount_mismatch', 'duplicate'] as const;
export type DiscrepancyType = (typeof DISCREPANCY_TYPES)[number];

/** In the place of a merchant: all merchants of the tenant. */
export const WHOLE_TENANT = 'all';

/** One comparison of a date, kept once it has ended. */
export interface RunRow {
  tenant_id: string;
  id: string;
  /** A merchant, or WHOLE_TENANT. */
  scope: string;
  date: string;
  source: Source;
  import_id: string | null;
  /** Stands for the settlements that were compared; another one means that the date has changed since. */
  basis: string;
  is_settled: number;
  /** The currency of the sums beside it; those of all currencies are in `totals`. */
  currency: string;
  transactions_minor: number;
  settlements_minor: number;
  totals: string;
  matched_count: number;
  discrepancy_count: number;
  open_count: number;
  created_at: string;
  created_by: string;
}

export const RUNS = table<RunRow>(
  'reconciliation_runs',
  {
    tenant_id: 'text',
    id: 'text',
    scope: 'text',
    date: 'text',
    source: 'text',
    import_id: 'text?',
    basis: 'text',
    is_settled: 'integer',
    currency: 'text',
    transactions_minor: 'integer',
    settlements_minor: 'integer',
    totals: 'text',
    matched_count: 'integer',
    discrepancy_count: 'integer',
    open_count: 'integer',
    created_at: 'text',
    created_by: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'reconciliation_runs_by_scope', columns: ['tenant_id', 'scope', 'id'] },
      { name: 'reconciliation_runs_by_date', columns: ['tenant_id', 'scope', 'date', 'id'] },
    ],
  },
);

/** A date that is to be compared without being asked for. */
export interface ComparisonRow extends DueRow {
  scope: string;
  date: string;
}

export const COMPARISONS = table<ComparisonRow>(
  'reconciliation_comparisons',
  { tenant_id: 'text', id: 'text', scope: 'text', date: 'text', due_ms: 'integer?', lease_ms: 'integer', fence: 'integer' },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'reconciliation_comparisons_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

/** A discrepancy of a run. */
export interface ItemRow {
  tenant_id: string;
  id: string;
  run_id: string;
  /** The same in a later run of the same date stands for the same discrepancy. */
  identity: string;
  type: DiscrepancyType;
  kind: LineKind;
  merchant_id: string | null;
  transaction_id: string | null;
  refund_id: string | null;
  settlement_reference: string | null;
  currency: string;
  /** Refunds are negative; null where the side has nothing. */
  transaction_minor: number | null;
  settled_minor: number | null;
  difference_minor: number;
  status: 'open' | 'resolved';
  note: string | null;
  resolved_by: string | null;
  resolved_at: string | null;
  created_at: string;
}

export const ITEMS = table<ItemRow>(
  'reconciliation_items',
  {
    tenant_id: 'text',
    id: 'text',
    run_id: 'text',
    identity: 'text',
    type: 'text',
    kind: 'text',
    merchant_id: 'text?',
    transaction_id: 'text?',
    refund_id: 'text?',
    settlement_reference: 'text?',
    currency: 'text',
    transaction_minor: 'integer?',
    settled_minor: 'integer?',
    difference_minor: 'integer',
    status: 'text',
    note: 'text?',
    resolved_by: 'text?',
    resolved_at: 'text?',
    created_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'reconciliation_items_by_run', columns: ['tenant_id', 'run_id', 'id'] },
      { name: 'reconciliation_items_by_identity', columns: ['tenant_id', 'run_id', 'identity'] },
      { name: 'reconciliation_items_by_transaction', columns: ['tenant_id', 'run_id', 'transaction_id'] },
    ],
  },
);

/** A file of somebody else's lines. */
export interface ImportRow {
  tenant_id: string;
  id: string;
  /** A merchant, or WHOLE_TENANT. */
  scope: string;
  /** SHA-256 of its bytes. */
  fingerprint: string;
  status: 'reading' | 'ready';
  /** The database's time in milliseconds at which whoever reads it was last seen. */
  seen_ms: number;
  filename: string | null;
  row_count: number;
  imported: number;
  bad_count: number;
  first_date: string | null;
  last_date: string | null;
  created_at: string;
  created_by: string;
}

export const IMPORTS = table<ImportRow>(
  'settlement_imports',
  {
    tenant_id: 'text',
    id: 'text',
    scope: 'text',
    fingerprint: 'text',
    status: 'text',
    seen_ms: 'integer',
    filename: 'text?',
    row_count: 'integer',
    imported: 'integer',
    bad_count: 'integer',
    first_date: 'text?',
    last_date: 'text?',
    created_at: 'text',
    created_by: 'text',
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'scope', 'fingerprint']] },
);

/** Whoever reads a file holds its import; one that was taken over adds nothing more. */
export const KEEP_READING: GuardedUpdate<ImportRow> = {
  table: IMPORTS,
  where: ['tenant_id', 'id'],
  set: ['seen_ms'],
  guard: "status = 'reading'",
};

/** A line of an imported file. */
export interface ImportLineRow {
  tenant_id: string;
  import_id: string;
  line: number;
  /** What the file calls the payment. */
  reference: string;
  /** The transaction that it was found to be; empty where nobody here knows it. */
  subject: string;
  kind: LineKind;
  currency: string;
  /** Refunds are negative. */
  amount_minor: number;
  day: string;
}

export const IMPORT_LINES = table<ImportLineRow>(
  'settlement_import_lines',
  {
    tenant_id: 'text',
    import_id: 'text',
    line: 'integer',
    reference: 'text',
    subject: 'text',
    kind: 'text',
    currency: 'text',
    amount_minor: 'integer',
    day: 'text',
  },
  {
    key: ['tenant_id', 'import_id', 'line'],
    indexes: [{ name: 'settlement_import_lines_by_subject', columns: ['tenant_id', 'import_id', 'subject', 'reference', 'line'] }],
  },
);
