import { ServiceError } from '#core/kernel';
import { type Job, released } from '#core/scheduling';
import { carryOut, isAutoVoid } from './auto-void.ts';
import { conclude, DOUBT_JOB } from './conclude.ts';
import type { Needs } from './needs.ts';
import { readTransaction } from './repository.ts';
import { ATTEMPTS, type AttemptRow } from './schema.ts';

/** Waits between inquiries about one attempt; after the last, every hour. Doubt is never ended by age alone. */
const INQUIRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const;
const INQUIRY_DELAY_LAST_MS = 3_600_000;
const AT_ONCE = 8;
const LEASE_MS = 20_000;

/**
 * Removes doubt by inquiry (decisions 4, design rule 3): an attempt without a recorded result is asked about at the gateway by our own
 * reference and ended in the same place as the straight path. It never sends a payment. Real time: a gateway answers when it answers.
 */
export function doubtJob(on: Needs): Job<AttemptRow> {
  return {
    name: DOUBT_JOB,
    table: ATTEMPTS,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(attempt) {
      if (attempt.operation === 'void') {
        const row = await readTransaction(on.database.read(attempt.tenant_id), attempt.transaction_id);
        if (isAutoVoid(attempt, row)) return (await carryOut(on, attempt, row)) ? 'settled' : 'asked';
      }
      if (await settle(on, attempt)) return 'settled';
      const { tenant_id, id, fence, inquiries } = attempt;
      const delay = INQUIRY_DELAYS_MS[inquiries] ?? INQUIRY_DELAY_LAST_MS;
      await on.database.unitOfWork.run(tenant_id, (work) =>
        work.update(ATTEMPTS, { id, fence }, { state: 'doubt', inquiries: inquiries + 1, ...released(Date.now() + delay) }),
      );
      return 'asked';
    },
  };
}

/** Asks once; true when the attempt is ended. */
async function settle(on: Needs, attempt: AttemptRow): Promise<boolean> {
  const connector = on.gateways.of(attempt.tenant_id);
  const found = await connector.inquire({
    tenantId: attempt.tenant_id,
    gatewayId: attempt.gateway_id,
    processorRef: attempt.processor_ref,
  });
  if (found.kind === 'unknown' || found.kind === 'pending') return false;
  if (found.kind === 'not-found' && !connector.capabilities.notFoundIsFinal) return false;
  try {
    await conclude(
      on,
      attempt,
      found.kind === 'not-found' ? { kind: 'not-sent', reason: 'The gateway never received it.', retry: 'error' } : found,
    );
  } catch (error) {
    // What ends as failed or refused throws the error of its request, which nobody waits for here.
    if (!(error instanceof ServiceError) || (error.code !== 'GATEWAY_ERROR' && error.code !== 'TRANSACTION_DECLINED')) throw error;
  }
  if (attempt.operation === 'sale') await on.doubtEnded(attempt.tenant_id, attempt.transaction_id);
  return true;
}

/** Has every attempt asked about at once that the process before left open: it held the data directory alone, so they belong to nobody. */
export async function takeOver(on: Needs): Promise<void> {
  if (on.database.kind !== 'sqlite') return;
  await on.database.unitOfWork.run(null, (work) =>
    work.run('UPDATE attempts SET due_ms = :now WHERE due_ms IS NOT NULL', { now: Date.now() }),
  );
}

/** Brings the next inquiries of a tenant forward; attempts whose answer may still come are left alone. */
export async function hurryInquiries(on: Needs, tenantId: string, byMs: number): Promise<void> {
  await on.database.unitOfWork.run(tenantId, (work) =>
    work.run("UPDATE attempts SET due_ms = due_ms - :byMs WHERE tenant_id = :tenantId AND state = 'doubt' AND due_ms IS NOT NULL", {
      byMs,
    }),
  );
}
