import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';

export const REPORT_KINDS = ['chargeback', 'reversal'] as const;

/**
 * Effect of a report: it `opened` or `advanced` a dispute; it is `recorded` if the dispute was already in that state; it is `unmatched` if Paydesk does
 * not know the payment; and a `conflict` if a person must decide.
 */
export const REPORT_RESULTS = ['opened', 'advanced', 'recorded', 'unmatched', 'conflict'] as const;
export type ReportResult = (typeof REPORT_RESULTS)[number];

/** Chargebacks and reversals as processors reported them. The ID derives from the report, so that each report has one effect. */
export const DISPUTE_REPORTS = table(
  'dispute_reports',
  {
    tenant_id: text,
    id: text,
    gateway_id: text,
    /** Name of the connector. */
    processor: text,
    /** The processor's reference of the payment. */
    reference: text,
    kind: text.of<(typeof REPORT_KINDS)[number]>(),
    amount_minor: integer,
    currency: text,
    reason_code: text.optional,
    reason: text.optional,
    processor_case: text.optional,
    /** Time of the step at the processor; null if it reports only the present state. */
    reported_at: text.optional,
    merchant_id: text.optional,
    transaction_id: text.optional,
    dispute_id: text.optional,
    result: text.of<ReportResult>(),
    /** Reason of a conflict. */
    note: text.optional,
    received_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'dispute_reports_by_reference', columns: ['tenant_id', 'reference', 'received_at'] },
      { name: 'dispute_reports_by_dispute', columns: ['tenant_id', 'dispute_id', 'received_at'], where: 'dispute_id IS NOT NULL' },
      { name: 'dispute_reports_by_result', columns: ['tenant_id', 'result', 'received_at'] },
    ],
  },
);

export type DisputeReportRow = RowOf<typeof DISPUTE_REPORTS>;

/** Gateways whose chargebacks are read, by gateway ID. */
export const DISPUTE_WATCHES = table(
  'dispute_watches',
  {
    tenant_id: text,
    id: text,
    /** Time up to which its chargebacks were read. */
    read_until: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'dispute_watches_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type DisputeWatchRow = RowOf<typeof DISPUTE_WATCHES>;
