import { dueColumns, type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'manual'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/**
 * Settlement schedules by merchant ID; `due_ms` is the next cutoff in the tenant's time, null for manual settlement. During a manual
 * settlement it also stores the idempotency key, so that the process that completes it stores the response.
 */
export const SCHEDULES = table(
  'settlement_schedules',
  {
    tenant_id: text,
    id: text,
    frequency: text.of<Frequency>(),
    /** HH:mm. */
    cutoff_time: text,
    /** Day of weekly schedules; 1 is Monday. */
    weekday: integer,
    /** Day of monthly schedules; the last day in shorter months. */
    day_of_month: integer,
    delay_days: integer,
    /** Null means the merchant's time zone. */
    timezone: text.optional,
    idempotency_credential: text.optional,
    idempotency_key: text.optional,
    idempotency_route: text.optional,
    ...dueColumns<TenantTime>(),
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'settlement_schedules_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type ScheduleRow = RowOf<typeof SCHEDULES>;

/** Status of a settlement. An `assembling` one still gets its lines and is not visible. */
type SettlementStatus = 'assembling' | 'pending' | 'paid';

/** Captures, refunds and dispute movements of a merchant in one currency up to a cutoff. Its lines are the rows that name it. */
export const SETTLEMENTS = table(
  'settlements',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    currency: text,
    status: text.of<SettlementStatus>(),
    origin: text.of<'schedule' | 'manual'>(),
    /** Everything captured, refunded and disputed before this time belong to this settlement or an earlier one. */
    cutoff_at: text,
    settlement_date: text,
    captures_minor: integer,
    refunds_minor: integer,
    fees_minor: integer,
    transaction_count: integer,
    refund_count: integer,
    /** Reversals less chargebacks and dispute fees: negative if money was withheld. */
    disputes_minor: integer,
    dispute_count: integer,
    /** Part of the net amount that was paid out. */
    paid_minor: integer,
    paid_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'settlements_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'settlements_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'settlements_by_date', columns: ['tenant_id', 'settlement_date', 'id'] },
      { name: 'settlements_by_merchant_date', columns: ['tenant_id', 'merchant_id', 'settlement_date', 'id'] },
      { name: 'settlements_unpaid', columns: ['tenant_id', 'merchant_id', 'id'], where: "status = 'pending'" },
    ],
  },
);

export type SettlementRow = RowOf<typeof SETTLEMENTS>;

/** Renews the lease of the merchant's schedule with each block. Fails if another process has claimed it. */
export const RENEW_LEASE: GuardedUpdate<ScheduleRow> = {
  table: SCHEDULES,
  where: ['tenant_id', 'id', 'fence'],
  set: ['lease_ms'],
  guard: 'lease_ms > 0',
};

/** Adds lines to a settlement. */
export const ADD_TO_SETTLEMENT: GuardedUpdate<SettlementRow> = {
  table: SETTLEMENTS,
  where: ['tenant_id', 'id'],
  set: [
    'captures_minor',
    'refunds_minor',
    'fees_minor',
    'transaction_count',
    'refund_count',
    'disputes_minor',
    'dispute_count',
    'updated_at',
  ],
  guard: "status = 'assembling'",
};

export const PAYOUT_STATUSES = ['pending', 'processing', 'paid', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Payouts to merchants' banks: single ones, and batches of settlements. `due_ms` is the time of the next step, in the tenant's time. */
export const PAYOUTS = table(
  'payouts',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    kind: text.of<'single' | 'batch'>(),
    currency: text,
    status: text.of<PayoutStatus>(),
    /** Text on the line of the bank statement. */
    reference: text,
    actor: text,
    amount_minor: integer,
    /** For a batch: captures and disputes less refunds, fees and lines of its settlements. */
    gross_minor: integer,
    fees_minor: integer,
    transaction_count: integer,
    start_date: text.optional,
    end_date: text.optional,
    note: text.optional,
    paid_at: text.optional,
    ...dueColumns<TenantTime>(),
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'payouts_by_merchant', columns: ['tenant_id', 'merchant_id', 'kind', 'id'] },
      { name: 'payouts_by_reference', columns: ['tenant_id', 'reference'] },
      { name: 'payouts_by_paid', columns: ['tenant_id', 'merchant_id', 'paid_at'], where: 'paid_at IS NOT NULL' },
      { name: 'payouts_in_transit', columns: ['tenant_id', 'merchant_id'], where: "status IN ('pending', 'processing')" },
      { name: 'payouts_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type PayoutRow = RowOf<typeof PAYOUTS>;

/** Part of a payout that pays a settlement; negative if the settlement has a negative balance. */
export const PAYOUT_LINES = table(
  'payout_lines',
  {
    tenant_id: text,
    payout_id: text,
    settlement_id: text,
    amount_minor: integer,
  },
  {
    key: ['tenant_id', 'payout_id', 'settlement_id'],
    indexes: [{ name: 'payout_lines_by_settlement', columns: ['tenant_id', 'settlement_id'] }],
  },
);
