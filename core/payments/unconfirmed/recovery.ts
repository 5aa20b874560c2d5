import { lit, queriesOn, TENANT, timeOf } from '#core/database';
import { isoTime, later, realNow, realTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { inquiryOf } from '../attempts/call-gateway.ts';
import { decidedHere, isDecidedHere } from '../capture/held-captures.ts';
import type { Dependencies } from '../dependencies.ts';
import { isRefusal } from '../outcome.ts';
import { readTransaction } from '../repository.ts';
import { carryOut, isAutoVoid } from '../sale/auto-void.ts';
import { conclude, isNew, noteHeld, RESOLVE_JOB, raise } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';
import { sendHeld } from './send-held.ts';

const queries = queriesOn(ATTEMPTS);

/** Waits between inquiries about one attempt; after the last, every hour. Doubt is never ended by age alone. */
const INQUIRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const;
const INQUIRY_DELAY_LAST_MS = 3_600_000;
/** Delay before the next inquiry if not finding the attempt once proves nothing. */
const MISSED_DELAY_MS = 300_000;
const AT_ONCE = 24;
const LEASE_MS = 20_000;

/**
 * Removes doubt by inquiry (decisions 4, design rule 3): an attempt without a recorded result is asked about at the gateway by our own
 * reference and ended in the same place as the straight path. It never sends a payment; what was decided here and held back is sent by it once.
 * Real time: a gateway answers when it answers.
 */
export function resolveJob(deps: Dependencies): Job<AttemptRow> {
  return {
    name: RESOLVE_JOB,
    table: ATTEMPTS,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(attempt) {
      if (!(await holdOn(deps, attempt))) return 'skipped';
      try {
        return await look(deps, attempt);
      } catch (cause) {
        // What failed here is looked at again soon: the lease is as long as a processor's answer.
        await giveBack(deps, attempt, {}, INQUIRY_DELAYS_MS[3]);
        throw cause;
      }
    },
  };
}

async function look(deps: Dependencies, attempt: AttemptRow): Promise<string> {
  if (attempt.state === 'held') return sendHeld(deps, attempt);
  const row = await readTransaction(deps.database.read(attempt.tenant_id), attempt.transaction_id);
  if (isAutoVoid(attempt, row)) return (await carryOut(deps, attempt, row)) ? 'settled' : 'asked';
  const left = await settle(deps, attempt, row);
  if (left === null) return 'settled';
  const { inquiries } = attempt;
  const delay = left.missed === null ? (INQUIRY_DELAYS_MS[inquiries] ?? INQUIRY_DELAY_LAST_MS) : MISSED_DELAY_MS;
  await giveBack(deps, attempt, { state: 'doubt', inquiries: inquiries + 1, asked_at: isoTime(Date.now()), ...left }, delay);
  return 'asked';
}

/** Releases an attempt for a later inquiry, unless another process concluded or claimed it. */
async function giveBack(
  deps: Dependencies,
  { tenant_id, id, fence, state }: AttemptRow,
  set: Partial<AttemptRow>,
  delayMs: number,
): Promise<void> {
  await deps.database.unitOfWork.run(tenant_id, (work) =>
    work.update(ATTEMPTS, { id, fence, state }, { ...set, ...released(later(realNow(), delayMs)) }),
  );
}

/** Extends the lease, because a processor may take longer to answer. Returns false if the original request was answered since the claim. */
async function holdOn(deps: Dependencies, { tenant_id, id, fence, state }: AttemptRow): Promise<boolean> {
  if (!deps.gateways.isLive(tenant_id)) return true;
  const leaseMs = Math.trunc(deps.gateways.answersWithinMs(tenant_id)) + LEASE_MS;
  const held = await deps.database.unitOfWork.run(tenant_id, (work) =>
    work.change(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ lease_ms: eb(timeOf(deps.database), '+', lit(leaseMs)) }))
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('state', '=', state),
    ),
  );
  return held === 1;
}

/** State of an attempt after an inquiry without a final result. */
type Left = Pick<AttemptRow, 'missed' | 'alert'>;

/** Inquires once; null if the attempt is concluded. */
async function settle(deps: Dependencies, attempt: AttemptRow, row: TransactionRow): Promise<Left | null> {
  if (isDecidedHere(row, attempt)) {
    await conclude(deps, attempt, decidedHere(row));
    return null;
  }
  const connector = await deps.gateways.of(attempt.tenant_id, attempt.gateway_id);
  const found = await connector.inquire(inquiryOf(row, attempt));
  if (found.kind === 'unknown') {
    if (found.alert && found.alert !== attempt.alert) raise(deps, attempt, found.alert);
    return { missed: null, alert: found.alert ?? attempt.alert };
  }
  if (found.kind === 'pending') {
    if (isNew(attempt) && row.pending_reason !== found.reason) await keepHeld(deps, attempt, found);
    return { missed: null, alert: null };
  }
  const isFinal = connector.capabilities.notFoundIsFinal || wasMissed(attempt);
  if (found.kind === 'not-found' && !isFinal) return { missed: (attempt.missed ?? 0) + 1, alert: attempt.alert };
  try {
    await conclude(
      deps,
      attempt,
      found.kind === 'not-found' ? { kind: 'not-sent', reason: 'The gateway never received it.', retry: 'unavailable' } : found,
    );
  } catch (error) {
    // A failed or refused attempt throws the error of its request, for which nobody waits here.
    if (!isRefusal(error)) throw error;
  }
  if (attempt.operation === 'sale')
    await deps.events.publishCommitted('payment.confirmed', { tenantId: attempt.tenant_id, transactionId: attempt.transaction_id });
  return null;
}

/** Returns true if an earlier inquiry, long enough ago, did not find it either. */
function wasMissed({ missed, asked_at }: AttemptRow): boolean {
  return missed !== null && asked_at !== null && Date.now() - Date.parse(asked_at) >= MISSED_DELAY_MS;
}

async function keepHeld(deps: Dependencies, attempt: AttemptRow, found: Parameters<typeof noteHeld>[2]): Promise<void> {
  const { tenant_id } = attempt;
  const at = isoTime(deps.clockOf(tenant_id).now());
  await deps.database.unitOfWork.run(tenant_id, async (work) => {
    await noteHeld(work, attempt, found, at);
    work.afterCommit(() => deps.changed(tenant_id, 'transactions'));
  });
}

/** Makes every attempt due that the previous process left open: the data directory is exclusive, so no other process owns them. */
export async function resumeLeftovers(deps: Dependencies): Promise<void> {
  if (deps.database.kind !== 'sqlite') return;
  await deps.database.unitOfWork.run(null, (work) =>
    work.change(
      queries.updateTable('attempts').set({ due_ms: realNow() }).where('due_ms', 'is not', null).where('state', '<>', lit('held')),
    ),
  );
}

/** Brings the next inquiries of a tenant forward; attempts whose answer may still come are left alone. */
export async function hurryInquiries(deps: Dependencies, tenantId: string, byMs: number): Promise<void> {
  await deps.database.unitOfWork.run(tenantId, (work) =>
    work.change(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ due_ms: eb('due_ms', '-', realTime(byMs)) }))
        .where('tenant_id', '=', TENANT)
        .where('state', '=', lit('doubt'))
        .where('due_ms', 'is not', null),
    ),
  );
}
