import {
  type Actor,
  actionsOf,
  addDays,
  allows,
  assert,
  type Caller,
  dateIn,
  isoTime,
  refused,
  ServiceError,
  type Steps,
  serviceActor,
  startOfDate,
  step,
  type TenantTime,
  tenantTime,
  timeAfter,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { type Job, released } from '#core/platform/scheduling';
import type { Dependencies } from './dependencies.ts';
import { audit, recordPaid, releaseSettlements } from './payout.ts';
import type { PayoutBatch } from './records.ts';
import { PAYOUT_LINES, PAYOUTS, type PayoutRow, type PayoutStatus } from './schema.ts';
import { toBatch } from './settlement.ts';

/** `advance`: the batch goes to the bank, or arrives there. `pay` and `fail`: the bank's answer is recorded by hand. */
type BatchOperation = 'advance' | 'pay' | 'fail';

const concluded = (status: PayoutStatus) => refused('RESOURCE_CONFLICT', `This batch is already ${status}.`);

/** The transitions of a batch payout. */
const BATCH_STEPS: Steps<PayoutStatus, BatchOperation> = {
  pending: { advance: 'processing', pay: 'paid', fail: 'failed' },
  processing: { advance: 'paid', pay: 'paid', fail: 'failed' },
  paid: { advance: concluded('paid'), pay: concluded('paid'), fail: concluded('paid') },
  failed: { advance: concluded('failed'), pay: concluded('failed'), fail: concluded('failed') },
};

const CONCURRENCY = 4;
const LEASE_MS = 20_000;

export async function batchOf(deps: Dependencies, actor: Caller, batchId: string): Promise<PayoutRow> {
  const row = await deps.database.read(actor.tenantId).one(PAYOUTS, { id: batchId });
  if (row?.kind !== 'batch')
    throw new ServiceError('NOT_FOUND', `There is no batch payout ${batchId.slice(0, 60)}.`, { details: { batchId } });
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

/** Job that advances payout batches: `processing` a day after their creation, `paid` a day later. */
export function batchJob(deps: Dependencies): Job<PayoutRow> {
  return {
    name: 'settlement.pay-batches',
    table: PAYOUTS,
    clock: 'tenant',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    async run({ tenant_id, id, fence }) {
      return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        const row = await work.lockOne(PAYOUTS, { id });
        if (row?.fence !== fence || !allows(BATCH_STEPS, row.status, 'advance')) return 'skipped';
        const merchant = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, row.merchant_id);
        const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
        const tomorrow = tenantTime(startOfDate(merchant.timezone, addDays(dateIn(merchant.timezone, now), 1)));
        const { status } = await moveBatch(
          deps,
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

type BatchActor = Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'ip' | 'requestId'>;

function moveBatch(
  deps: Dependencies,
  actor: BatchActor,
  row: PayoutRow,
  status: PayoutStatus,
  note: string | null,
  nextMs: TenantTime | null,
) {
  return async (work: Parameters<typeof releaseSettlements>[0], now: number): Promise<PayoutRow> => {
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
      const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
      await recordPaid(deps, work, merchant, next, at);
    }
    if (status === 'failed') await releaseSettlements(work, next, at);
    audit(deps, work, actor, `batch_payout.${status}`, next);
    work.afterCommit(() => deps.changed(row.tenant_id, 'settlement', row.merchant_id));
    return next;
  };
}

export const BATCH_RESULTS = ['paid', 'failed'] as const;
type BatchResult = (typeof BATCH_RESULTS)[number];

/** Returns the status of a batch after a result of the bank. @throws ServiceError RESOURCE_CONFLICT if it is paid or failed already. */
const checkResult = (row: PayoutRow, result: BatchResult) =>
  step(BATCH_STEPS, row.status, result === 'paid' ? 'pay' : 'fail', { status: row.status });

/** Returns what can be done with a batch now: each result that can be recorded is a choice. */
export const batchActions = (row: PayoutRow) =>
  actionsOf({
    conclude: () => {
      for (const result of BATCH_RESULTS) checkResult(row, result);
      return { choices: BATCH_RESULTS };
    },
  });

/** Records the bank's result of a batch. @throws ServiceError RESOURCE_CONFLICT if it is paid or failed already. */
export async function concludeBatch(
  deps: Dependencies,
  actor: Actor,
  batchId: string,
  result: { readonly status: BatchResult; readonly note?: string },
): Promise<PayoutBatch> {
  await batchOf(deps, actor, batchId);
  const { batch } = await runIdempotent(deps, actor, async (work) => {
    const row = await work.lockOne(PAYOUTS, { id: batchId });
    assert(row, 'a payout is never deleted');
    const status = checkResult(row, result.status);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const next = await moveBatch(deps, actor, row, status, result.note ?? null, now)(work, now);
    const lines = await work.find(PAYOUT_LINES, { payout_id: batchId }, { orderBy: [['settlement_id', 'asc']] });
    const batch = toBatch(
      next,
      lines.map(({ settlement_id }) => settlement_id),
    );
    return { batch };
  });
  return batch;
}
