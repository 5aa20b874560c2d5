import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';

/** Time at which the late fees of a merchant are charged next. `id` is that of the merchant; `due_ms` is null while late fees are off. */
export const LATE_FEE_RUNS = table(
  'late_fee_runs',
  {
    tenant_id: text,
    id: text,
    /** Day on which late fees were switched on. Fees of earlier days are not charged. */
    since_day: text,
    /** Due date and ID of the last invoice that was looked at, in the run of `run_day`; null if no run is unfinished. */
    run_day: text.optional,
    after_due_date: text.optional,
    after_id: text.optional,
    ...dueColumns<TenantTime>(),
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'late_fee_runs_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

export type LateFeeRunRow = RowOf<typeof LATE_FEE_RUNS>;

/** Late fees of invoices. The key prevents that a period is charged twice. */
export const LATE_FEES = table(
  'late_fees',
  {
    tenant_id: text,
    invoice_id: text,
    /** Number of the period, from 1. */
    period: integer,
    id: text,
    /** Local day on which it was charged. */
    day: text,
    currency: text,
    amount_minor: integer,
    /** Text of its line on the invoice. */
    description: text,
    created_at: text,
    reversed_at: text.optional,
    reversed_by: text.optional,
    reverse_reason: text.optional,
  },
  { key: ['tenant_id', 'invoice_id', 'period'] },
);

export type LateFeeRow = RowOf<typeof LATE_FEES>;

/** Choices for customers and invoices about late fees. */
export const LATE_FEE_EXEMPTIONS = table(
  'late_fee_exemptions',
  {
    tenant_id: text,
    /** ID of a customer or an invoice. */
    subject_id: text,
    /** 1 if no fee is charged. */
    is_off: integer,
    /** First day on which fees are charged after they were allowed again. */
    since_day: text.optional,
    updated_at: text,
  },
  { key: ['tenant_id', 'subject_id'] },
);

export type LateFeeExemptionRow = RowOf<typeof LATE_FEE_EXEMPTIONS>;
