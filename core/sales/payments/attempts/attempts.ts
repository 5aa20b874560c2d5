import type { Work, Writer } from '#core/database';
import { type Actor, isoTime, later, newId, newProcessorRef, type RealTime, realNow } from '#core/kernel';
import { idempotencyColumns, NO_IDEMPOTENCY_KEY, withClaimedKey } from '#core/platform/idempotency';
import { dueAt, released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { NO_PARTS, type Parts, partColumns, partsOf } from '../parts/parts.ts';
import { ATTEMPTS, type AttemptOperation, type AttemptRow, CONCLUDE_ATTEMPT } from '../schema.ts';

/** Margin after the latest expected response; after it, an attempt without a result counts as abandoned by its process. */
const SENDING_MARGIN_MS = 4_000;

/** Name and ID of a gateway, as transactions and attempts store them. */
export type GatewayReference = Pick<AttemptRow, 'gateway' | 'gateway_id'>;

export interface AttemptInput {
  readonly transactionId: string;
  readonly refundId?: string;
  readonly operation: AttemptOperation;
  /** Gateway of the request. */
  readonly via: GatewayReference;
  readonly amountMinor: number;
  /** Parts of the amount; none by default. */
  readonly parts?: Parts;
  readonly currency: string;
  /** Shift that is open at the drawer of the request. */
  readonly shiftId?: string | null;
}

/** Returns the time by which a request sent now has been answered or has timed out, in real time. */
export function sendingUntil(deps: Pick<Dependencies, 'gateways'>, tenantId: string): RealTime {
  return later(realNow(), deps.gateways.answersWithinMs(tenantId) + SENDING_MARGIN_MS);
}

/** Returns a new attempt, which must be written before its request is sent. */
export function newAttempt(deps: Dependencies, actor: Actor, input: AttemptInput, processorRef = newProcessorRef()): AttemptRow {
  const now = deps.clockOf(actor.tenantId).now();
  return {
    tenant_id: actor.tenantId,
    id: newId('att', now),
    transaction_id: input.transactionId,
    refund_id: input.refundId ?? null,
    operation: input.operation,
    gateway: input.via.gateway,
    gateway_id: input.via.gateway_id,
    processor_ref: processorRef,
    amount_minor: input.amountMinor,
    ...partColumns(input.parts ?? NO_PARTS),
    currency: input.currency,
    state: 'sending',
    result: null,
    reason: null,
    actor: actor.name,
    actor_id: actor.credentialId,
    approved_by: actor.approval?.approvedBy ?? null,
    request_id: actor.requestId,
    ip: actor.ip,
    shift_id: input.shiftId ?? null,
    shift_report_id: null,
    ...idempotencyColumns(actor),
    inquiries: 0,
    last_inquiry_at: null,
    missed: null,
    alert: null,
    ...dueAt(sendingUntil(deps, actor.tenantId)),
    created_at: isoTime(now),
    concluded_at: null,
  };
}

/** Marks an attempt as done, with its amount, in the caller's batch. @throws LostRace if another process has concluded it. */
export function concludeAttempt(batch: Writer, attempt: AttemptRow, result: string, reason: string | null, at: string): void {
  batch.guardedUpdate(CONCLUDE_ATTEMPT, {
    tenant_id: attempt.tenant_id,
    id: attempt.id,
    state: 'done',
    result,
    reason,
    amount_minor: attempt.amount_minor,
    ...partColumns(partsOf(attempt)),
    due_ms: null,
    alert: null,
    concluded_at: at,
  });
}

/**
 * Marks an attempt as done, inside a unit of work. Returns false if another process has concluded it. An approval after a recorded failure gets an
 * alert for a person.
 */
export async function finishAttempt(work: Work, attempt: AttemptRow, result: string, reason: string | null, at: string): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (row?.state === 'done' && row.result === 'failed' && result === 'approved')
    await work.update(ATTEMPTS, { id: row.id }, { alert: 'late-approval' });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'done', result, reason, due_ms: null, alert: null, concluded_at: at });
  return true;
}

/** Marks an attempt as held until a time, after which a job sends its request. Returns false if another process has concluded it. */
export async function holdAttempt(work: Work, attempt: AttemptRow, untilMs: RealTime): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'held', ...released(untilMs), ...NO_IDEMPOTENCY_KEY });
  return true;
}

/** Writes an intent in a unit of work that also claims the Idempotency-Key of the request. @throws ServiceError RESOURCE_CONFLICT if another request has claimed the key. */
export async function writeIntent<Result>(deps: Dependencies, actor: Actor, write: (work: Work) => Promise<Result>): Promise<Result> {
  return withClaimedKey(() =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      deps.idempotencyKeys.claim(work, actor);
      return write(work);
    }),
  );
}

/**
 * Writes the rows of an intent and claims the Idempotency-Key of the request. The preparations may read, lock, and reject the intent by an error.
 * Without preparations, the intent is committed together with those of other requests. @throws ServiceError RESOURCE_CONFLICT if another request has
 * claimed the key.
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
  await withClaimedKey(() =>
    deps.database.unitOfWork.writeBatch(actor.tenantId, (writer) => {
      deps.idempotencyKeys.claim(writer, actor);
      write(writer);
    }),
  );
}
