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
import type { Merchant } from '#core/merchants';
import { runOnce } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import { type BatchPayout, toBatch } from './batch-payout.ts';
import type { Dependencies } from './dependencies.ts';
import { PAYOUT_LINES, PAYOUTS, type PayoutRow, SETTLEMENTS, type SettlementRow } from './schema.ts';
import { netOf, type Payout, toPayout } from './settlement.ts';

/** Characters of a payout's reference: enough to tell two apart, short enough for a bank statement. */
const REFERENCE_CHARS = 10;
/** Settlements paid in part that an error names. */
const PARTLY_LISTED_MAX = 20;

export interface PayoutInput {
  readonly merchantId: string;
  /** All that is settled and unpaid unless given. */
  readonly amount?: string | number;
  readonly currency?: string;
}

/** Which unpaid settlements a batch bundles, by their date; in the merchant's currency unless another is named. */
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

const restOf = (row: SettlementRow) => netOf(row) - row.paid_minor;

/** The settlements of a merchant that are not paid in full, the oldest first, locked until the end of the work. */
async function openSettlements(deps: Dependencies, work: Work, merchantId: string, currency: string): Promise<SettlementRow[]> {
  await deps.lockMerchant(work, merchantId);
  const rows = await work.find(SETTLEMENTS, { merchant_id: merchantId, currency, status: 'pending' }, { orderBy: [['id', 'asc']] });
  return rows.filter((row) => restOf(row) !== 0);
}

/** Deducts negative settlements first, then pays the oldest ones in full before the next. */
function allot(rows: readonly SettlementRow[], amountMinor: number): Part[] {
  const owing = rows.filter((row) => restOf(row) < 0).map((settlement) => ({ settlement, minor: restOf(settlement) }));
  let left = owing.reduce((sum, { minor }) => sum - minor, amountMinor);
  const paid: Part[] = [];
  for (const settlement of rows.filter((row) => restOf(row) > 0)) {
    if (left === 0) break;
    const minor = Math.min(left, restOf(settlement));
    paid.push({ settlement, minor });
    left -= minor;
  }
  return [...owing, ...paid];
}

function newPayout(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  of: Pick<PayoutRow, 'kind' | 'currency' | 'status' | 'amount_minor'>,
): PayoutRow {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  return {
    tenant_id: actor.tenantId,
    id: newId(of.kind === 'batch' ? 'bat' : 'pay', now),
    merchant_id: merchantId,
    ...of,
    reference: newProcessorRef().slice(0, REFERENCE_CHARS),
    actor: actor.name,
    gross_minor: 0,
    fees_minor: 0,
    transaction_count: 0,
    start_date: null,
    end_date: null,
    note: null,
    paid_at: of.status === 'paid' ? at : null,
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
export async function notePaid(deps: Dependencies, work: Work, merchant: Merchant, payout: PayoutRow, at: string): Promise<void> {
  const lines = await work.find(PAYOUT_LINES, { payout_id: payout.id });
  for (const { settlement_id } of lines) {
    const row = await work.lockOne(SETTLEMENTS, { id: settlement_id });
    if (row && restOf(row) === 0) await work.update(SETTLEMENTS, { id: row.id }, { status: 'paid', paid_at: at, updated_at: at });
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
}

/** Returns the amounts of a failed payout to its settlements. */
export async function release(work: Work, payout: PayoutRow, at: string): Promise<void> {
  for (const { settlement_id, amount_minor } of await work.find(PAYOUT_LINES, { payout_id: payout.id })) {
    const row = await work.lockOne(SETTLEMENTS, { id: settlement_id });
    if (row) await work.update(SETTLEMENTS, { id: row.id }, { paid_minor: row.paid_minor - amount_minor, updated_at: at });
  }
}

/**
 * Pays out what is settled and unpaid, or a part of it, the oldest settlement first (decisions 9, 11). INVALID_AMOUNT (422) above what there is, and
 * where there is nothing.
 */
export async function payOut(deps: Dependencies, actor: Actor, input: PayoutInput): Promise<Payout> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const asked = input.amount === undefined ? null : parseMoney(input.amount, currency);
  return runOnce(() =>
    deps.database.unitOfWork.run(actor.tenantId, async (work) => {
      deps.once.open(work, actor);
      const rows = await openSettlements(deps, work, merchant.merchantId, currency);
      const available = money(
        rows.reduce((sum, row) => sum + restOf(row), 0),
        currency,
      );
      const amount = asked ?? available;
      if (amount.minor > available.minor || amount.minor <= 0) throw tooMuch(available, asked);
      const parts = allot(rows, amount.minor);
      const row = newPayout(deps, actor, merchant.merchantId, { kind: 'single', currency, status: 'paid', amount_minor: amount.minor });
      work.insert(PAYOUTS, row);
      await writeLines(work, row, parts);
      await notePaid(deps, work, merchant, row, row.created_at);
      audit(deps, work, actor, 'payout.created', row);
      const lines = parts.map(({ settlement, minor }) => ({ settlement_id: settlement.id, amount_minor: minor }));
      const payout = toPayout(row, lines);
      if (actor.idempotencyKey)
        await deps.once.finishIn(work, actor.idempotencyKey, deps.renderAnswer(actor.idempotencyKey.route, { payout }));
      work.afterCommit(() => deps.changed(actor.tenantId, 'settlement'));
      return payout;
    }),
  );
}

function tooMuch(available: Money, asked: Money | null) {
  const words = available.minor <= 0 ? 'Nothing is settled and unpaid.' : 'This is more than is settled and unpaid.';
  return amountAboveLimit(words, {
    availableToPayOut: available,
    ...(asked === null ? {} : { requestedAmount: asked }),
  });
}

/** Returns the INVALID_AMOUNT error of a batch without anything to pay, with the reason. */
function nothingToBundle(open: readonly SettlementRow[], { startDate, endDate }: BatchInput, net: Money) {
  const due = open.filter((row) => restOf(row) > 0 && row.settlement_date >= startDate && row.settlement_date <= endDate);
  if (due.length === 0) return amountAboveLimit('Nothing of these dates is settled and unpaid.', { availableToPayOut: net });
  const begun = due.filter((row) => row.paid_minor !== 0);
  if (begun.length < due.length)
    return amountAboveLimit('What is owed takes all that is settled and unpaid of these dates.', { availableToPayOut: net });
  return amountAboveLimit(
    'A batch takes settlements of which nothing was paid; those of these dates are paid in part. Pay the rest out by a payout.',
    {
      availableToPayOut: { ...net, minor: open.reduce((sum, row) => sum + restOf(row), 0) },
      partlyPaid: begun.map(({ id }) => id).slice(0, PARTLY_LISTED_MAX),
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

/** Bundles every settlement of a period of which nothing was paid, and what any other owes, into one batch, which goes out with the next day (specification 4.13). */
export async function makeBatch(deps: Dependencies, actor: Actor, of: BatchInput): Promise<BatchPayout> {
  const merchant = await deps.merchantFor(actor, of.merchantId);
  const currency = of.currency === undefined ? merchant.currency : parseCurrency(of.currency);
  return runOnce(() =>
    deps.database.unitOfWork.run(actor.tenantId, async (work) => {
      deps.once.open(work, actor);
      const open = await openSettlements(deps, work, merchant.merchantId, currency);
      const isOfPeriod = (row: SettlementRow) =>
        row.paid_minor === 0 && row.settlement_date >= of.startDate && row.settlement_date <= of.endDate;
      // Negative amounts of earlier or later settlements are deducted from the next payout.
      const rows = open.filter((row) => restOf(row) < 0 || isOfPeriod(row));
      const sum = (read: (row: SettlementRow) => number) => rows.reduce((total, row) => total + read(row), 0);
      const net = sum(restOf);
      if (net <= 0) throw nothingToBundle(open, of, money(net, currency));
      const now = deps.clockOf(actor.tenantId).now();
      const row: PayoutRow = {
        ...newPayout(deps, actor, merchant.merchantId, { kind: 'batch', currency, status: 'pending', amount_minor: net }),
        gross_minor: sum((one) => one.captures_minor - one.refunds_minor),
        fees_minor: sum((one) => one.fees_minor),
        transaction_count: sum((one) => one.transaction_count),
        start_date: of.startDate,
        end_date: of.endDate,
        ...dueAt(tenantTime(startOfDate(merchant.timezone, addDays(dateIn(merchant.timezone, now), 1)))),
      };
      work.insert(PAYOUTS, row);
      const parts = rows.map((settlement) => ({ settlement, minor: restOf(settlement) }));
      await writeLines(work, row, parts);
      audit(deps, work, actor, 'batch_payout.created', row);
      const made = toBatch(row, rows.map(({ id }) => id).toSorted());
      if (actor.idempotencyKey)
        await deps.once.finishIn(work, actor.idempotencyKey, deps.renderAnswer(actor.idempotencyKey.route, { batch: made }));
      work.afterCommit(() => deps.changed(actor.tenantId, 'settlement'));
      return made;
    }),
  );
}
