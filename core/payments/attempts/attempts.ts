import type { Work, Writer } from '#core/database';
import { type Actor, isoTime, later, newId, newProcessorRef, type RealTime, realNow } from '#core/kernel';
import { idempotencyColumns, NO_IDEMPOTENCY_KEY, runOnce } from '#core/platform/idempotency';
import { dueAt, released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { ATTEMPTS, type AttemptOperation, type AttemptRow, CONCLUDE_ATTEMPT } from '../schema.ts';

/** Time after the expected answer when an attempt without a result counts as abandoned by its process. */
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

/** Returns the time by which a request sent now has been answered or has timed out, in real time. */
export function sendingUntil(deps: Pick<Dependencies, 'gateways'>, tenantId: string): RealTime {
  return later(realNow(), deps.gateways.answersWithinMs(tenantId) + SENDING_MARGIN_MS);
}

/** A fresh attempt, to be written before its question is sent. */
export function newAttempt(deps: Dependencies, actor: Actor, of: AttemptFor, processorRef = newProcessorRef()): AttemptRow {
  const now = deps.clockOf(actor.tenantId).now();
  return {
    tenant_id: actor.tenantId,
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
    actor: actor.name,
    actor_id: actor.credentialId,
    request_id: actor.requestId,
    ip: actor.ip,
    ...idempotencyColumns(actor),
    inquiries: 0,
    asked_at: null,
    missed: null,
    alert: null,
    ...dueAt(sendingUntil(deps, actor.tenantId)),
    created_at: isoTime(now),
    concluded_at: null,
  };
}

/** Marks an attempt as done in the caller's batch. LostRace if another process concluded it. */
export function settleAttempt(batch: Writer, attempt: AttemptRow, result: string, reason: string | null, at: string): void {
  batch.guardedUpdate(CONCLUDE_ATTEMPT, {
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
 * Same inside a unit of work; returns false if another process concluded it. An approval after a recorded failure is marked for a person.
 */
export async function finishAttempt(work: Work, attempt: AttemptRow, result: string, reason: string | null, at: string): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (row?.state === 'done' && row.result === 'failed' && result === 'approved')
    await work.update(ATTEMPTS, { id: row.id }, { alert: 'late-approval' });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'done', result, reason, due_ms: null, alert: null, concluded_at: at });
  return true;
}

/** Holds an attempt with its answer until a time; returns false if another process concluded it. */
export async function holdAttempt(work: Work, attempt: AttemptRow, untilMs: RealTime): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'held', ...released(untilMs), ...NO_IDEMPOTENCY_KEY });
  return true;
}

/** Runs the unit of work of an intent with the request's Idempotency-Key claimed in it. A key that another request holds is RESOURCE_CONFLICT. */
export async function writeIntent<Result>(deps: Dependencies, actor: Actor, write: (work: Work) => Promise<Result>): Promise<Result> {
  return runOnce(() =>
    deps.database.unitOfWork.run(actor.tenantId, async (work) => {
      deps.once.open(work, actor);
      return write(work);
    }),
  );
}

/**
 * Writes the rows of an intent with the request's Idempotency-Key claimed beside them. The preparations may read and lock, and undo the intent by an
 * error; without any, the intent is written together with those of other requests. A key that another request holds is RESOURCE_CONFLICT.
 */
export async function recordIntent(
  deps: Dependencies,
  actor: Actor,
  preparations: readonly ((work: Work) => Promise<void>)[],
  write: (writer: Writer) => void,
): Promise<void> {
  if (preparations.length > 0)
    return writeIntent(deps, actor, async (work) => {
      for (const prepare of preparations) await prepare(work);
      write(work);
    });
  await runOnce(() =>
    deps.database.unitOfWork.record(actor.tenantId, (writer) => {
      deps.once.open(writer, actor);
      write(writer);
    }),
  );
}
