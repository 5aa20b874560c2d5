import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';

/** `chargeback` is a chargeback or reversal of the processor without a dispute that explains it. */
export const LINE_KINDS = ['capture', 'refund', 'chargeback'] as const;
export type LineKind = (typeof LINE_KINDS)[number];
export const SOURCES = ['gateway', 'import'] as const;
export type Source = (typeof SOURCES)[number];
export const DISCREPANCY_TYPES = ['missing_in_settlement', 'missing_in_transactions', 'amount_mismatch', 'duplicate'] as const;
export type DiscrepancyType = (typeof DISCREPANCY_TYPES)[number];

/** Replaces the merchant ID to mean all merchants of the tenant. */
export const WHOLE_TENANT = 'all';

/** Completed comparisons of dates. */
export const RUNS = table(
  'reconciliation_runs',
  {
    tenant_id: text,
    id: text,
    /** A merchant, or WHOLE_TENANT. */
    scope: text,
    date: text,
    source: text.of<Source>(),
    import_id: text.optional,
    /** Identifies the compared settlements; another value means that the date has changed since. */
    basis: text,
    is_settled: integer,
    /** Currency of the two sums below; the sums of all currencies are in `totals`. */
    currency: text,
    transactions_minor: integer,
    settlements_minor: integer,
    totals: text,
    matched_count: integer,
    discrepancy_count: integer,
    open_count: integer,
    created_at: text,
    created_by: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'reconciliation_runs_by_scope', columns: ['tenant_id', 'scope', 'id'] },
      { name: 'reconciliation_runs_by_date', columns: ['tenant_id', 'scope', 'date', 'id'] },
    ],
  },
);

export type RunRow = RowOf<typeof RUNS>;

/** Dates to be compared in the background. */
export const COMPARISONS = table(
  'reconciliation_comparisons',
  {
    tenant_id: text,
    id: text,
    scope: text,
    date: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'reconciliation_comparisons_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type ComparisonRow = RowOf<typeof COMPARISONS>;

/** A discrepancy of a run. */
export const ITEMS = table(
  'reconciliation_items',
  {
    tenant_id: text,
    id: text,
    run_id: text,
    /** Equal in a later run of the same date for the same discrepancy. */
    identity: text,
    type: text.of<DiscrepancyType>(),
    kind: text.of<LineKind>(),
    merchant_id: text.optional,
    transaction_id: text.optional,
    refund_id: text.optional,
    settlement_reference: text.optional,
    currency: text,
    /** Refunds are negative; null if this side has no line. */
    transaction_minor: integer.optional,
    settled_minor: integer.optional,
    difference_minor: integer,
    status: text.of<'open' | 'resolved'>(),
    note: text.optional,
    resolved_by: text.optional,
    resolved_at: text.optional,
    created_at: text,
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

export type ItemRow = RowOf<typeof ITEMS>;

/**
 * An imported file of a processor or bank. An import that is not `ready` is due and claimed by the request that reads it, whose lease each block of
 * lines renews. If that request ends without completing the import, the job removes it with its lines.
 */
export const IMPORTS = table(
  'settlement_imports',
  {
    tenant_id: text,
    id: text,
    /** A merchant, or WHOLE_TENANT. */
    scope: text,
    /** SHA-256 of its bytes. */
    fingerprint: text,
    /** `removing`: a failed import, of which lines may be left. */
    status: text.of<'reading' | 'removing' | 'ready'>(),
    filename: text.optional,
    row_count: integer,
    imported: integer,
    bad_count: integer,
    first_date: text.optional,
    last_date: text.optional,
    created_at: text,
    created_by: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'scope', 'fingerprint']],
    indexes: [{ name: 'settlement_imports_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type ImportRow = RowOf<typeof IMPORTS>;

/** A line of an imported file. */
export const IMPORT_LINES = table(
  'settlement_import_lines',
  {
    tenant_id: text,
    import_id: text,
    line: integer,
    /** Name of the payment in the file. */
    reference: text,
    /** ID of the transaction; empty if it is unknown. */
    subject: text,
    kind: text.of<LineKind>(),
    currency: text,
    /** Refunds are negative. */
    amount_minor: integer,
    day: text,
  },
  {
    key: ['tenant_id', 'import_id', 'line'],
    indexes: [{ name: 'settlement_import_lines_by_subject', columns: ['tenant_id', 'import_id', 'subject', 'reference', 'line'] }],
  },
);

export type ImportLineRow = RowOf<typeof IMPORT_LINES>;
