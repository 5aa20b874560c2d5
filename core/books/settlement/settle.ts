import { LostRace } from '#core/database';
import { type Currency, dateIn, isoTime, money, newId, serviceActor, timeAfter } from '#core/kernel';
import { databaseNow } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import { countSettled } from '#core/records/ledger';
import { feeFor, type Rates, type SettleableLine, withLines } from './amounts.ts';
import { settlementDateOf } from './calendar.ts';
import type { Dependencies } from './dependencies.ts';
import { ADD_TO_SETTLEMENT, RENEW_LEASE, SCHEDULES, type ScheduleRow, SETTLEMENTS, type SettlementRow } from './schema.ts';
import { amountOf, netOf } from './settlement.ts';

/** Default number of lines that one unit of work adds to a settlement, so that a sale never waits long for it. */
const BLOCK_LINES = 500;
/** Number of retries of a block whose lines were changed in the meantime. */
const ATTEMPTS_MAX = 20;

/** Lease of the merchant's schedule during a settlement; each block renews it. */
export const LEASE_MS = 60_000;

/** Cutoff of a settlement. The caller holds the lease of the schedule. */
interface Cutoff {
  readonly merchant: Merchant;
  readonly schedule: ScheduleRow;
  /** Captures, refunds and dispute movements before this time are settled, in the tenant's time. */
  readonly beforeMs: number;
  readonly origin: SettlementRow['origin'];
}

/**
 * Adds everything unsettled before a cutoff to one settlement per currency, in blocks. A settlement that a stopped process
 * began is first completed up to its own cutoff. Returns the IDs; none if there was nothing to settle.
 */
export async function settleUpTo(deps: Dependencies, cutoff: Cutoff): Promise<string[]> {
  const { merchant, schedule } = cutoff;
  const unfinished = await deps.database
    .read(schedule.tenant_id)
    .find(SETTLEMENTS, { merchant_id: merchant.merchantId, status: 'assembling' });
  const settlementIds: string[] = [];
  for (const [cutoffAt, rows] of [...Map.groupBy(unfinished, (row) => row.cutoff_at)].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    settlementIds.push(
      ...(await addBlocks(deps, { ...cutoff, beforeMs: Date.parse(cutoffAt), origin: rows[0]?.origin ?? cutoff.origin }, rows)),
    );
  return [...settlementIds, ...(await addBlocks(deps, cutoff, []))];
}

async function addBlocks(deps: Dependencies, cutoff: Cutoff, unfinished: readonly SettlementRow[]): Promise<string[]> {
  const { merchant, schedule } = cutoff;
  const open = new Map(unfinished.map((row) => [row.currency, row]));
  const rates = { ...(await deps.feesOf(schedule.tenant_id, merchant.merchantId)), currency: merchant.currency };
  for (const kind of ['transaction', 'refund', 'dispute'] as const) {
    while (await addBlock(deps, cutoff, kind, open, rates));
  }
  for (const row of open.values()) await closeSettlement(deps, cutoff, row);
  return [...open.values()].map(({ id }) => id);
}

/** Adds the next lines. Returns false if there are no more. */
async function addBlock(
  deps: Dependencies,
  cutoff: Cutoff,
  kind: SettleableLine['kind'],
  open: Map<string, SettlementRow>,
  rates: Rates,
): Promise<boolean> {
  const { tenant_id } = cutoff.schedule;
  const { merchantId } = cutoff.merchant;
  const before = isoTime(cutoff.beforeMs);
  for (let attempt = 1; ; attempt += 1) {
    const limit = deps.blockLines ?? BLOCK_LINES;
    const lines =
      kind === 'dispute'
        ? await deps.disputes.unsettled(tenant_id, merchantId, { before, limit })
        : await deps.payments.unsettled(tenant_id, merchantId, { kind, before, limit });
    if (lines.length === 0) return false;
    try {
      await addLines(deps, cutoff, lines, open, rates);
      return true;
    } catch (error) {
      if (!(error instanceof LostRace) || attempt === ATTEMPTS_MAX) throw error;
      const schedule = await deps.database.read(tenant_id).one(SCHEDULES, { id: merchantId });
      if (schedule?.fence !== cutoff.schedule.fence) throw error;
    }
  }
}

async function addLines(
  deps: Dependencies,
  cutoff: Cutoff,
  lines: readonly SettleableLine[],
  open: Map<string, SettlementRow>,
  rates: Rates,
): Promise<void> {
  const { tenant_id } = cutoff.schedule;
  const now = deps.clockOf(tenant_id).now();
  const byCurrency = [...Map.groupBy(lines, ({ amount }) => amount.currency)].map(([currency, ownLines]) => {
    const existing = open.get(currency);
    const row = existing ?? newSettlement(cutoff, currency, now);
    return { known: existing, row, grown: withLines(row, ownLines, rates, isoTime(timeAfter(now, row.updated_at))), own: ownLines };
  });
  const lease_ms = (await databaseNow(deps.database)) + LEASE_MS;
  await deps.database.unitOfWork.writeBatch(tenant_id, (batch) => {
    batch.guardedUpdate(RENEW_LEASE, { tenant_id, id: cutoff.schedule.id, fence: cutoff.schedule.fence, lease_ms });
    for (const { known: existing, row, grown, own: ownLines } of byCurrency) {
      if (existing) batch.guardedUpdate(ADD_TO_SETTLEMENT, grown);
      else batch.insert(SETTLEMENTS, grown);
      const into = {
        tenantId: tenant_id,
        settlementId: row.id,
        settlementDate: row.settlement_date,
        at: isoTime(now),
        timeZone: cutoff.merchant.timezone,
      };
      countSettled(
        batch,
        { tenantId: tenant_id, merchantId: cutoff.merchant.merchantId, currency: row.currency as Currency },
        ownLines.length,
      );
      for (const line of ownLines) {
        if (line.kind === 'dispute') deps.disputes.settleMovement(batch, line, into);
        else deps.payments.settleLine(batch, cutoff.merchant.merchantId, line, into, feeFor(line, rates), now);
      }
    }
  });
  for (const { grown } of byCurrency) open.set(grown.currency, grown);
}

function newSettlement({ merchant, schedule, beforeMs, origin }: Cutoff, currency: Currency, now: number): SettlementRow {
  const zone = schedule.timezone ?? merchant.timezone;
  const at = isoTime(now);
  return {
    tenant_id: schedule.tenant_id,
    id: newId('stl', now),
    merchant_id: merchant.merchantId,
    currency,
    status: 'assembling',
    origin,
    cutoff_at: isoTime(beforeMs),
    settlement_date: settlementDateOf(zone, beforeMs, schedule.delay_days),
    captures_minor: 0,
    refunds_minor: 0,
    fees_minor: 0,
    transaction_count: 0,
    refund_count: 0,
    disputes_minor: 0,
    dispute_count: 0,
    paid_minor: 0,
    paid_at: null,
    created_at: at,
    updated_at: at,
  };
}

/** Returns the day of a settlement in the ledger: the day on which it was started, however long its lines take. */
function dayOf({ timezone }: Merchant, row: SettlementRow): string {
  return dateIn(timezone, Date.parse(row.created_at));
}

/** Closes a settlement and enters it in the ledger; a negative one is entered with the accounts exchanged. */
async function closeSettlement(deps: Dependencies, { merchant, schedule }: Cutoff, row: SettlementRow): Promise<void> {
  const { tenant_id, id, merchant_id } = row;
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const locked = await work.lockOne(SETTLEMENTS, { id });
    if (locked?.status !== 'assembling') return;
    const now = timeAfter(deps.clockOf(tenant_id).now(), locked.updated_at);
    const at = isoTime(now);
    const net = netOf(locked);
    const paid = net === 0 ? ({ status: 'paid', paid_at: at } as const) : ({ status: 'pending' } as const);
    await work.update(SETTLEMENTS, { id }, { ...paid, updated_at: at });
    const currency = locked.currency as Currency;
    const entry = (name: string, kind: 'settlement' | 'settlement_owed' | 'fee', minor: number) =>
      minor > 0 &&
      deps.post(work, {
        tenantId: tenant_id,
        merchantId: merchant_id,
        id: `${id}/${name}`,
        kind,
        amount: money(minor, currency),
        subjectId: id,
        day: dayOf(merchant, locked),
        at,
      });
    const amount = amountOf(locked);
    await entry('amount', 'settlement', amount);
    await entry('amount', 'settlement_owed', -amount);
    await entry('fees', 'fee', locked.fees_minor);
    deps.audit(work, {
      actor: serviceActor(tenant_id),
      action: 'settlement.created',
      resource: `settlement/${id}`,
      merchantId: merchant_id,
      after: {
        currency,
        captures: locked.captures_minor,
        refunds: locked.refunds_minor,
        disputes: locked.disputes_minor,
        fees: locked.fees_minor,
        settlementDate: locked.settlement_date,
        origin: locked.origin,
        schedule: schedule.frequency,
      },
    });
    await deps.events.publish(work, 'settlement.closed', {
      tenantId: tenant_id,
      merchantId: merchant_id,
      settlementDate: locked.settlement_date,
    });
    work.afterCommit(() => {
      deps.changed(tenant_id, 'settlement', merchant_id);
      deps.changed(tenant_id, 'transactions', merchant_id);
    });
  });
}
