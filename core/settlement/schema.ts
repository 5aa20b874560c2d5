import { type GuardedUpdate, table } from '#core/database';
import type { OnceColumns } from '#core/platform/idempotency';
import type { DueRow } from '#core/platform/scheduling';

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'manual'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/**
 * When a merchant's takings become a settlement. `id` is the merchant's; `due_ms` the next cutoff in the tenant's time, null where it is by hand. While
 * somebody settles by hand it also names the Idempotency-Key that waits, so that whoever ends it answers the key.
 */
export interface ScheduleRow extends DueRow, OnceColumns {
  frequency: Frequency;
  /** HH:mm. */
  cutoff_time: string;
  /** 1 is Monday; for weekly ones. */
  weekday: number;
  /** For monthly ones; the last day in a month that has fewer. */
  day_of_month: number;
  delay_days: number;
  /** null is the merchant's. */
  timezone: string | null;
  updated_at: string;
}

export const SCHEDULES = table<ScheduleRow>(
  'settlement_schedules',
  {
    tenant_id: 'text',
    id: 'text',
    frequency: 'text',
    cutoff_time: 'text',
    weekday: 'integer',
    day_of_month: 'integer',
    delay_days: 'integer',
    timezone: 'text?',
    once_credential: 'text?',
    once_key: 'text?',
    once_route: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'settlement_schedules_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

/** `assembling` while its lines are still being put in; nobody is shown it then. */
type SettlementStatus = 'assembling' | 'pending' | 'paid';

/** What a merchant took and gave back in one currency up to a cutoff. Its lines are the transactions and refunds that name it. */
export interface SettlementRow {
  tenant_id: string;
  id: string;
  merchant_id: string;
  currency: string;
  status: SettlementStatus;
  origin: 'schedule' | 'manual';
  /** Everything before it belongs to this one or to an earlier one. */
  cutoff_at: string;
  settlement_date: string;
  captures_minor: number;
  refunds_minor: number;
  fees_minor: number;
  transaction_count: number;
  refund_count: number;
  /** How much of the net amount was paid out. */
  paid_minor: number;
  paid_at: string | null;
  created_at: string;
  updated_at: string;
}

export const SETTLEMENTS = table<SettlementRow>(
  'settlements',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    currency: 'text',
    status: 'text',
    origin: 'text',
    cutoff_at: 'text',
    settlement_date: 'text',
    captures_minor: 'integer',
    refunds_minor: 'integer',
    fees_minor: 'integer',
    transaction_count: 'integer',
    refund_count: 'integer',
    paid_minor: 'integer',
    paid_at: 'text?',
    created_at: 'text',
    updated_at: 'text',
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

/** Whoever settles holds the merchant's schedule; with each block it is seen that nobody else has taken it over, and the hold is renewed. */
export const KEEP_HOLD: GuardedUpdate<ScheduleRow> = {
  table: SCHEDULES,
  where: ['tenant_id', 'id', 'fence'],
  set: ['lease_ms'],
  guard: 'lease_ms > 0',
};

/** Adds lines to a settlement. */
export const GROW_SETTLEMENT: GuardedUpdate<SettlementRow> = {
  table: SETTLEMENTS,
  where: ['tenant_id', 'id'],
  set: ['captures_minor', 'refunds_minor', 'fees_minor', 'transaction_count', 'refund_count', 'updated_at'],
  guard: "status = 'assembling'",
};

export type PayoutStatus = 'pending' | 'processing' | 'paid' | 'failed';

/** Money on its way to a merchant's bank: one payout, or a batch of settlements. `due_ms` is its next step, in the tenant's time. */
export interface PayoutRow extends DueRow {
  merchant_id: string;
  kind: 'single' | 'batch';
  currency: string;
  status: PayoutStatus;
  /** What stands on the line of the bank statement. */
  reference: string;
  actor: string;
  amount_minor: number;
  /** Of a batch: captures less refunds, fees and lines of its settlements. */
  gross_minor: number;
  fees_minor: number;
  transaction_count: number;
  start_date: string | null;
  end_date: string | null;
  note: string | null;
  paid_at: string | null;
  created_at: string;
  updated_at: string;
}

export const PAYOUTS = table<PayoutRow>(
  'payouts',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    kind: 'text',
    currency: 'text',
    status: 'text',
    reference: 'text',
    actor: 'text',
    amount_minor: 'integer',
    gross_minor: 'integer',
    fees_minor: 'integer',
    transaction_count: 'integer',
    start_date: 'text?',
    end_date: 'text?',
    note: 'text?',
    paid_at: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    created_at: 'text',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'payouts_by_merchant', columns: ['tenant_id', 'merchant_id', 'kind', 'id'] },
      { name: 'payouts_by_reference', columns: ['tenant_id', 'reference'] },
      { name: 'payouts_by_paid', columns: ['tenant_id', 'merchant_id', 'paid_at'], where: 'paid_at IS NOT NULL' },
      { name: 'payouts_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

/** What of a settlement a payout pays; below zero where the settlement owes something. */
export interface PayoutLineRow {
  tenant_id: string;
  payout_id: string;
  settlement_id: string;
  amount_minor: number;
}

export const PAYOUT_LINES = table<PayoutLineRow>(
  'payout_lines',
  { tenant_id: 'text', payout_id: 'text', settlement_id: 'text', amount_minor: 'integer' },
  {
    key: ['tenant_id', 'payout_id', 'settlement_id'],
    indexes: [{ name: 'payout_lines_by_settlement', columns: ['tenant_id', 'settlement_id'] }],
  },
);
