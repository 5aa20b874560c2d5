import {
  type Actor,
  addDays,
  allows,
  assert,
  dateIn,
  isoTime,
  ServiceError,
  serviceActor,
  startOfDate,
  step,
  type TenantTime,
  tenantTime,
  timeAfter,
} from '#core/kernel';
import { onceOnly } from '#core/platform/idempotency';
import { type Job, released } from '#core/platform/scheduling';
import { type BatchPayout, toBatch } from './batch-payout.ts';
import { BATCH_STEPS } from './batch-steps.ts';
import type { By, Needs } from './needs.ts';
import { audit, notePaid, release } from './payout.ts';
import { PAYOUT_LINES, PAYOUTS, type PayoutRow, type PayoutStatus } from './schema.ts';

const AT_ONCE = 4;
const LEASE_MS = 20_000;

export async function batchOf(on: Needs, by: By, batchId: string): Promise<PayoutRow> {
  const row = await on.database.read(by.tenantId).one(PAYOUTS, { id: batchId });
  if (row?.kind !== 'batch')
    throw new ServiceError('NOT_FOUND', `There is no batch payout ${batchId.slice(0, 60)}.`, { details: { batchId } });
  await on.merchantFor(by, row.merchant_id);
  return row;
}

/** Batches go to the bank with the day after they were made, and are there a day later. */
export function batchJob(on: Needs): Job<PayoutRow> {
  return {
    name: 'settlement.pay-batches',
    table: PAYOUTS,
    clock: 'tenant',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence }) {
      return on.database.unitOfWork.run(tenant_id, async (work) => {
        const row = await work.lockOne(PAYOUTS, { id });
        if (row?.fence !== fence || !allows(BATCH_STEPS, row.status, 'advance')) return 'skipped';
        const merchant = await on.merchantFor({ tenantId: tenant_id, merchantId: null }, row.merchant_id);
        const now = timeAfter(on.clockOf(tenant_id).now(), row.updated_at);
        const tomorrow = tenantTime(startOfDate(merchant.timezone, addDays(dateIn(merchant.timezone, now), 1)));
        const { status } = await move(
          on,
          serviceActor(tenant_id),
          row,
          step(BATCH_STEPS, row.status, 'advance'),
          null,
          tomorrow,
        )(work, now);
        return status === 'processing' ? 'sent' : 'paid';
      });
    },
  };
}

type Teller = Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'ip' | 'requestId'>;

function move(on: Needs, by: Teller, row: PayoutRow, status: PayoutStatus, note: string | null, nextMs: TenantTime | null) {
  return async (work: Parameters<typeof release>[0], now: number): Promise<PayoutRow> => {
    const at = isoTime(now);
    const next: PayoutRow = {
      ...row,
      status,
      note: note ?? row.note,
      paid_at: status === 'paid' ? at : null,
      updated_at: at,
      ...released(status === 'processing' ? nextMs : null),
    };
    const { tenant_id: _, id, ...set } = next;
    await work.update(PAYOUTS, { id }, set);
    if (status === 'paid') {
      const merchant = await on.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
      await notePaid(on, work, merchant, next, at);
    }
    if (status === 'failed') await release(work, next, at);
    audit(on, work, by, `batch_payout.${status}`, next);
    work.afterCommit(() => on.changed(row.tenant_id, 'settlement'));
    return next;
  };
}

/** Records what the bank did with a batch; RESOURCE_CONFLICT for one that is paid or failed already. */
export async function concludeBatch(
  on: Needs,
  by: Actor,
  batchId: string,
  of: { readonly status: 'paid' | 'failed'; readonly note?: string },
): Promise<BatchPayout> {
  await batchOf(on, by, batchId);
  return onceOnly(() =>
    on.database.unitOfWork.run(by.tenantId, async (work) => {
      on.once.open(work, by);
      const row = await work.lockOne(PAYOUTS, { id: batchId });
      assert(row, 'a payout is never deleted');
      const status = step(BATCH_STEPS, row.status, of.status === 'paid' ? 'pay' : 'fail', { status: row.status });
      const now = timeAfter(on.clockOf(by.tenantId).now(), row.updated_at);
      const next = await move(on, by, row, status, of.note ?? null, now)(work, now);
      const lines = await work.find(PAYOUT_LINES, { payout_id: batchId }, { orderBy: [['settlement_id', 'asc']] });
      const batch = toBatch(
        next,
        lines.map(({ settlement_id }) => settlement_id),
      );
      if (by.once) await on.once.finishIn(work, by.once, on.renderAnswer(by.once.route, { batch }));
      return batch;
    }),
  );
}
