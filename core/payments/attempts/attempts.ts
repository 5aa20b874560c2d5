import type { Work, Writer } from '#core/database';
import { type Actor, isoTime, later, newId, newProcessorRef, type RealTime, realNow } from '#core/kernel';
import { ANSWERED, onceColumns, onceOnly } from '#core/platform/idempotency';
import { dueAt, released } from '#core/platform/scheduling';
import type { Needs } from '../needs.ts';
import { ATTEMPTS, type AttemptOperation, type AttemptRow, CONCLUDE_ATTEMPT } from '../schema.ts';

/** An attempt without a result this long after its answer was due has lost whoever sent it. */
const SENDING_MARGIN_MS = 4_000;

/** A gateway as transactions and attempts name it. */
export type Via = Pick<AttemptRow, 'gateway' | 'gateway_id'>;

export interface AttemptFor {
  readonly transactionId: string;
  readonly refundId?: string;
  readonly operation: AttemptOperation;
  /** The gateway that is asked. */
  readonly via: Via;
  readonly amountMinor: number;
  readonly currency: string;
}

/** When a question that is put now will have been answered or given up, in real time. */
export function sendingUntil(on: Pick<Needs, 'gateways'>, tenantId: string): RealTime {
  return later(realNow(), on.gateways.answersWithinMs(tenantId) + SENDING_MARGIN_MS);
}

/** A fresh attempt, to be written before its question is sent. */
export function newAttempt(on: Needs, by: Actor, of: AttemptFor, processorRef = newProcessorRef()): AttemptRow {
  const now = on.clockOf(by.tenantId).now();
  return {
    tenant_id: by.tenantId,
    id: newId('att', now),
    transaction_id: of.transactionId,
    refund_id: of.refundId ?? null,
    operation: of.operation,
    gateway: of.via.gateway,
    gateway_id: of.via.gateway_id,
    processor_ref: processorRef,
    amount_minor: of.amountMinor,
    currency: of.currency,
    state: 'sending',
    result: null,
    reason: null,
    actor: by.name,
    actor_id: by.credentialId,
    request_id: by.requestId,
    ip: by.ip,
    ...onceColumns(by),
    inquiries: 0,
    asked_at: null,
    missed: null,
    alert: null,
    ...dueAt(sendingUntil(on, by.tenantId)),
    created_at: isoTime(now),
    concluded_at: null,
  };
}

/** Marks an attempt as done in the caller's batch; LostRace when somebody else concluded it. */
export function settleAttempt(batch: Writer, attempt: AttemptRow, result: string, reason: string | null, at: string): void {
  batch.settle(CONCLUDE_ATTEMPT, {
    tenant_id: attempt.tenant_id,
    id: attempt.id,
    state: 'done',
    result,
    reason,
    due_ms: null,
    alert: null,
    concluded_at: at,
  });
}

/**
 * The same inside a work; false when somebody else concluded it. What a gateway approves after it was recorded as failed is marked for a person.
 */
export async function finishAttempt(work: Work, attempt: AttemptRow, result: string, reason: string | null, at: string): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (row?.state === 'done' && row.result === 'failed' && result === 'approved')
    await work.update(ATTEMPTS, { id: row.id }, { alert: 'late-approval' });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'done', result, reason, due_ms: null, alert: null, concluded_at: at });
  return true;
}

/** Keeps an attempt back until a time, answered as it is; false when somebody else concluded it. */
export async function holdAttempt(work: Work, attempt: AttemptRow, untilMs: RealTime): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'held', ...released(untilMs), ...ANSWERED });
  return true;
}

/** Runs the unit of work of an intent with the request's Idempotency-Key claimed in it. A key that another request holds is RESOURCE_CONFLICT. */
export async function writeIntent<Result>(on: Needs, by: Actor, write: (work: Work) => Promise<Result>): Promise<Result> {
  return onceOnly(() =>
    on.database.unitOfWork.run(by.tenantId, async (work) => {
      on.once.open(work, by);
      return write(work);
    }),
  );
}

/**
 * Writes the rows of an intent with the request's Idempotency-Key claimed beside them. The preparations may read and lock, and undo the intent by an
 * error; without any, the intent is written together with those of other requests. A key that another request holds is RESOURCE_CONFLICT.
 */
export async function recordIntent(
  on: Needs,
  by: Actor,
  preparations: readonly ((work: Work) => Promise<void>)[],
  write: (writer: Writer) => void,
): Promise<void> {
  if (preparations.length > 0)
    return writeIntent(on, by, async (work) => {
      for (const prepare of preparations) await prepare(work);
      write(work);
    });
  await onceOnly(() =>
    on.database.unitOfWork.record(by.tenantId, (writer) => {
      on.once.open(writer, by);
      write(writer);
    }),
  );
}
