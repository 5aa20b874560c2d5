import { lit, queriesOn, TENANT, timeOf } from '#core/database';
import { isoTime, later, realNow, realTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { inquiryOf } from '../attempts/ask.ts';
import { decidedHere, isDecidedHere } from '../capture/held-captures.ts';
import type { Needs } from '../needs.ts';
import { isRefusal } from '../outcome.ts';
import { readTransaction } from '../repository.ts';
import { carryOut, isAutoVoid } from '../sale/auto-void.ts';
import { conclude, DOUBT_JOB, isNew, noteHeld, raise } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';
import { sendHeld } from './held.ts';

const queries = queriesOn(ATTEMPTS);

/** Waits between inquiries about one attempt; after the last, every hour. Doubt is never ended by age alone. */
const INQUIRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const;
const INQUIRY_DELAY_LAST_MS = 3_600_000;
/** Where not finding it once proves nothing, it is looked for again after this. */
const MISSED_DELAY_MS = 300_000;
const AT_ONCE = 24;
const LEASE_MS = 20_000;

/**
 * Removes doubt by inquiry (decisions 4, design rule 3): an attempt without a recorded result is asked about at the gateway by our own
 * reference and ended in the same place as the straight path. It never sends a payment; what was decided here and held back is sent by it once.
 * Real time: a gateway answers when it answers.
 */
export function doubtJob(on: Needs): Job<AttemptRow> {
  return {
    name: DOUBT_JOB,
    table: ATTEMPTS,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(attempt) {
      if (!(await holdOn(on, attempt))) return 'skipped';
      try {
        return await look(on, attempt);
      } catch (cause) {
        // What failed here is looked at again soon: the lease is as long as a processor's answer.
        await giveBack(on, attempt, {}, INQUIRY_DELAYS_MS[3]);
        throw cause;
      }
    },
  };
}

async function look(on: Needs, attempt: AttemptRow): Promise<string> {
  if (attempt.state === 'held') return sendHeld(on, attempt);
  const row = await readTransaction(on.database.read(attempt.tenant_id), attempt.transaction_id);
  if (isAutoVoid(attempt, row)) return (await carryOut(on, attempt, row)) ? 'settled' : 'asked';
  const left = await settle(on, attempt, row);
  if (left === null) return 'settled';
  const { inquiries } = attempt;
  const delay = left.missed === null ? (INQUIRY_DELAYS_MS[inquiries] ?? INQUIRY_DELAY_LAST_MS) : MISSED_DELAY_MS;
  await giveBack(on, attempt, { state: 'doubt', inquiries: inquiries + 1, asked_at: isoTime(Date.now()), ...left }, delay);
  return 'asked';
}

/** Puts an attempt back to be looked at later, unless somebody ended or took it meanwhile. */
async function giveBack(on: Needs, { tenant_id, id, fence, state }: AttemptRow, set: Partial<AttemptRow>, delayMs: number): Promise<void> {
  await on.database.unitOfWork.run(tenant_id, (work) =>
    work.update(ATTEMPTS, { id, fence, state }, { ...set, ...released(later(realNow(), delayMs)) }),
  );
}

/** A processor may take longer to answer than the lease is: nobody else is to ask meanwhile. False where its own request was answered since it was taken. */
async function holdOn(on: Needs, { tenant_id, id, fence, state }: AttemptRow): Promise<boolean> {
  if (!on.gateways.isLive(tenant_id)) return true;
  const leaseMs = Math.trunc(on.gateways.answersWithinMs(tenant_id)) + LEASE_MS;
  const held = await on.database.unitOfWork.run(tenant_id, (work) =>
    work.change(
      queries
        .updateTable('attempts')
        .set(({ eb }) => ({ lease_ms: eb(timeOf(on.database), '+', lit(leaseMs)) }))
        .where('tenant_id', '=', TENANT)
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('state', '=', state),
    ),
  );
  return held === 1;
}

/** What an inquiry that ended nothing leaves with its attempt. */
type Left = Pick<AttemptRow, 'missed' | 'alert'>;

/** Asks once; null when the attempt is ended. */
async function settle(on: Needs, attempt: AttemptRow, row: TransactionRow): Promise<Left | null> {
  if (isDecidedHere(row, attempt)) {
    await conclude(on, attempt, decidedHere(row));
    return null;
  }
  const connector = await on.gateways.of(attempt.tenant_id, attempt.gateway_id);
  const found = await connector.inquire(inquiryOf(row, attempt));
  if (found.kind === 'unknown') {
    if (found.alert && found.alert !== attempt.alert) raise(on, attempt, found.alert);
    return { missed: null, alert: found.alert ?? attempt.alert };
  }
  if (found.kind === 'pending') {
    if (isNew(attempt) && row.pending_reason !== found.reason) await keepHeld(on, attempt, found);
    return { missed: null, alert: null };
  }
  const isFinal = connector.capabilities.notFoundIsFinal || wasMissed(attempt);
  if (found.kind === 'not-found' && !isFinal) return { missed: (attempt.missed ?? 0) + 1, alert: attempt.alert };
  try {
    await conclude(
      on,
      attempt,
      found.kind === 'not-found' ? { kind: 'not-sent', reason: 'The gateway never received it.', retry: 'unavailable' } : found,
    );
  } catch (error) {
    // What ends as failed or refused throws the error of its request, which nobody waits for here.
    if (!isRefusal(error)) throw error;
  }
  if (attempt.operation === 'sale')
    await on.events.publishCommitted('payment.confirmed', { tenantId: attempt.tenant_id, transactionId: attempt.transaction_id });
  return null;
}

/** Whether it was not found before, long enough ago for that to be another look. */
function wasMissed({ missed, asked_at }: AttemptRow): boolean {
  return missed !== null && asked_at !== null && Date.now() - Date.parse(asked_at) >= MISSED_DELAY_MS;
}

async function keepHeld(on: Needs, attempt: AttemptRow, found: Parameters<typeof noteHeld>[2]): Promise<void> {
  const { tenant_id } = attempt;
  const at = isoTime(on.clockOf(tenant_id).now());
  await on.database.unitOfWork.run(tenant_id, async (work) => {
    await noteHeld(work, attempt, found, at);
    work.afterCommit(() => on.changed(tenant_id, 'transactions'));
  });
}

/** Has every attempt asked about at once that the process before left open: it held the data directory alone, so they belong to nobody. */
export async function takeOver(on: Needs): Promise<void> {
  if (on.database.kind !== 'sqlite') return;
  await on.database.unitOfWork.run(null, (work) =>
    work.change(
      queries.updateTable('attempts').set({ due_ms: realNow() }).where('due_ms', 'is not', null).where('state', '<>', lit('held')),
    ),
  );
}

/** Brings the next inquiries of a tenant forward; attempts whose answer may still come are left alone. */
export async function hurryInquiries(on: Needs, tenantId: string, byMs: number): Promise<void> {
  await on.database.unitOfWork.run(tenantId, (work) =>
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
