import type { Work } from '#core/database';
import {
  type Actor,
  addDays,
  amountAboveLimit,
  type Currency,
  dateIn,
  isoTime,
  type Money,
  money,
  newId,
  newProcessorRef,
  parseCurrency,
  parseMoney,
  startOfDate,
  tenantTime,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import type { Payout, PayoutBatch } from './records.ts';
import { PAYOUT_LINES, PAYOUTS, type PayoutRow, SETTLEMENTS, type SettlementRow } from './schema.ts';
import { amountOf, netOf, toBatch, toPayout } from './settlement.ts';

/** Length of a payout's reference: long enough to be unique, short enough for a bank statement. */
const REFERENCE_CHARS = 10;
/** Largest number of partly paid settlements that an error lists. */
const PARTLY_LISTED_MAX = 20;

export interface PayoutInput {
  readonly merchantId: string;
  /** Amount to pay out; default is everything that is settled and unpaid. */
  readonly amount?: string | number;
  readonly currency?: string;
}

/** Selects the unpaid settlements of a batch by their date; default currency is the merchant's. */
export interface BatchInput {
  readonly merchantId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly currency?: string;
}

/** Part of a payout that pays one settlement. */
interface Part {
  readonly settlement: SettlementRow;
  readonly minor: number;
}

const remainingOf = (row: SettlementRow) => netOf(row) - row.paid_minor;

/** Returns the settlements of a merchant that are not paid in full, oldest first, locked until the end of the unit of work. */
async function openSettlements(deps: Dependencies, work: Work, merchantId: string, currency: string): Promise<SettlementRow[]> {
  await deps.lockMerchant(work, merchantId);
  const rows = await work.find(SETTLEMENTS, { merchant_id: merchantId, currency, status: 'pending' }, { orderBy: [['id', 'asc']] });
  return rows.filter((row) => remainingOf(row) !== 0);
}

/** Deducts negative settlements first, then pays the oldest ones in full before the next. */
function allocate(rows: readonly SettlementRow[], amountMinor: number): Part[] {
  const negative = rows.filter((row) => remainingOf(row) < 0).map((settlement) => ({ settlement, minor: remainingOf(settlement) }));
  let remaining = negative.reduce((sum, { minor }) => sum - minor, amountMinor);
  const positive: Part[] = [];
  for (const settlement of rows.filter((row) => remainingOf(row) > 0)) {
    if (remaining === 0) break;
    const minor = Math.min(remaining, remainingOf(settlement));
    positive.push({ settlement, minor });
    remaining -= minor;
  }
  return [...negative, ...positive];
}

function newPayout(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  columns: Pick<PayoutRow, 'kind' | 'currency' | 'status' | 'amount_minor'>,
): PayoutRow {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  return {
    tenant_id: actor.tenantId,
    id: newId(columns.kind === 'batch' ? 'bat' : 'pay', now),
    merchant_id: merchantId,
    ...columns,
    reference: newProcessorRef().slice(-REFERENCE_CHARS),
    actor: actor.name,
    gross_minor: 0,
    fees_minor: 0,
    transaction_count: 0,
    start_date: null,
    end_date: null,
    note: null,
    paid_at: columns.status === 'paid' ? at : null,
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
}

async function writeLines(work: Work, payout: PayoutRow, parts: readonly Part[]): Promise<void> {
  for (const { settlement, minor } of parts) {
    const { tenant_id, id: payout_id } = payout;
    work.insert(PAYOUT_LINES, { tenant_id, payout_id, settlement_id: settlement.id, amount_minor: minor });
    await work.update(SETTLEMENTS, { id: settlement.id }, { paid_minor: settlement.paid_minor + minor, updated_at: payout.created_at });
  }
}

/** Records that a payout has reached the bank: in the ledger, and on the settlements that it pays in full. */
export async function recordPaid(deps: Dependencies, work: Work, merchant: Merchant, payout: PayoutRow, at: string): Promise<void> {
  const lines = await work.find(PAYOUT_LINES, { payout_id: payout.id });
  for (const { settlement_id } of lines) {
    const row = await work.lockOne(SETTLEMENTS, { id: settlement_id });
    if (row && remainingOf(row) === 0) await work.update(SETTLEMENTS, { id: row.id }, { status: 'paid', paid_at: at, updated_at: at });
  }
  deps.post(work, {
    tenantId: payout.tenant_id,
    merchantId: payout.merchant_id,
    id: payout.id,
    kind: 'payout',
    amount: money(payout.amount_minor, payout.currency as Currency),
    subjectId: payout.id,
    day: dateIn(merchant.timezone, Date.parse(at)),
    at,
  });
  await deps.events.publish(work, 'payout.paid', { merchantId: payout.merchant_id, payoutId: payout.id });
}

/** Returns the amounts of a failed payout to its settlements. */
export async function releaseSettlements(work: Work, payout: PayoutRow, at: string): Promise<void> {
  for (const { settlement_id, amount_minor } of await work.find(PAYOUT_LINES, { payout_id: payout.id })) {
    const row = await work.lockOne(SETTLEMENTS, { id: settlement_id });
    if (row) await work.update(SETTLEMENTS, { id: row.id }, { paid_minor: row.paid_minor - amount_minor, updated_at: at });
  }
}

/**
 * Pays out the settled and unpaid amount or a part of it, oldest settlement first. @throws ServiceError INVALID_AMOUNT
 * (422) above the
 * available amount, or if there is none.
 */
export async function payOut(deps: Dependencies, actor: Actor, input: PayoutInput): Promise<Payout> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const requested = input.amount === undefined ? null : parseMoney(input.amount, currency);
  const { payout } = await runIdempotent(deps, actor, async (work) => {
    const rows = await openSettlements(deps, work, merchant.merchantId, currency);
    const available = money(
      rows.reduce((sum, row) => sum + remainingOf(row), 0),
      currency,
    );
    const amount = requested ?? available;
    if (amount.minor > available.minor || amount.minor <= 0) throw exceedsAvailable(available, requested);
    const parts = allocate(rows, amount.minor);
    const row = newPayout(deps, actor, merchant.merchantId, { kind: 'single', currency, status: 'paid', amount_minor: amount.minor });
    work.insert(PAYOUTS, row);
    await writeLines(work, row, parts);
    await recordPaid(deps, work, merchant, row, row.created_at);
    audit(deps, work, actor, 'payout.created', row);
    const lines = parts.map(({ settlement, minor }) => ({ settlement_id: settlement.id, amount_minor: minor }));
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchant.merchantId));
    return { payout: toPayout(row, lines) };
  });
  return payout;
}

function exceedsAvailable(available: Money, requested: Money | null) {
  const message = available.minor <= 0 ? 'There is no unpaid settlement.' : 'The amount exceeds the unpaid amount of the settlements.';
  return amountAboveLimit(message, {
    availableToPayOut: available,
    ...(requested === null ? {} : { requestedAmount: requested }),
  });
}

/** Returns the INVALID_AMOUNT error of a batch without anything to pay, with the reason. */
function nothingToBundle(open: readonly SettlementRow[], { startDate, endDate }: BatchInput, net: Money) {
  const due = open.filter((row) => remainingOf(row) > 0 && row.settlement_date >= startDate && row.settlement_date <= endDate);
  if (due.length === 0) return amountAboveLimit('There is no unpaid settlement in this period.', { availableToPayOut: net });
  const partlyPaid = due.filter((row) => row.paid_minor !== 0);
  if (partlyPaid.length < due.length)
    return amountAboveLimit('Negative settlements offset the whole unpaid amount of this period.', { availableToPayOut: net });
  return amountAboveLimit(
    'A batch contains only settlements that are fully unpaid. The settlements of this period are partly paid. Pay the remaining amount with a payout.',
    {
      availableToPayOut: { ...net, minor: open.reduce((sum, row) => sum + remainingOf(row), 0) },
      partlyPaid: partlyPaid.map(({ id }) => id).slice(0, PARTLY_LISTED_MAX),
    },
  );
}

export function audit(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'ip' | 'requestId'>,
  action: string,
  row: PayoutRow,
): void {
  deps.audit(work, {
    actor,
    action,
    resource: `settlement/${row.kind === 'batch' ? 'batch-payouts' : 'payouts'}/${row.id}`,
    merchantId: row.merchant_id,
    after: { amount: row.amount_minor, currency: row.currency, status: row.status, reference: row.reference },
  });
}

/**
 * Bundles the fully unpaid settlements of a period and all negative settlements into one batch, which is sent on the next day
 *.
 */
export async function makeBatch(deps: Dependencies, actor: Actor, input: BatchInput): Promise<PayoutBatch> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const { batch } = await runIdempotent(deps, actor, async (work) => {
    const open = await openSettlements(deps, work, merchant.merchantId, currency);
    const isOfPeriod = (row: SettlementRow) =>
      row.paid_minor === 0 && row.settlement_date >= input.startDate && row.settlement_date <= input.endDate;
    // Negative amounts of earlier or later settlements are deducted from the next payout.
    const rows = open.filter((row) => remainingOf(row) < 0 || isOfPeriod(row));
    const sum = (read: (row: SettlementRow) => number) => rows.reduce((total, row) => total + read(row), 0);
    const net = sum(remainingOf);
    if (net <= 0) throw nothingToBundle(open, input, money(net, currency));
    const now = deps.clockOf(actor.tenantId).now();
    const row: PayoutRow = {
      ...newPayout(deps, actor, merchant.merchantId, { kind: 'batch', currency, status: 'pending', amount_minor: net }),
      gross_minor: sum(amountOf),
      fees_minor: sum((settlement) => settlement.fees_minor),
      transaction_count: sum((settlement) => settlement.transaction_count),
      start_date: input.startDate,
      end_date: input.endDate,
      ...dueAt(tenantTime(startOfDate(merchant.timezone, addDays(dateIn(merchant.timezone, now), 1)))),
    };
    work.insert(PAYOUTS, row);
    const parts = rows.map((settlement) => ({ settlement, minor: remainingOf(settlement) }));
    await writeLines(work, row, parts);
    audit(deps, work, actor, 'batch_payout.created', row);
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchant.merchantId));
    return { batch: toBatch(row, rows.map(({ id }) => id).toSorted()) };
  });
  return batch;
}
