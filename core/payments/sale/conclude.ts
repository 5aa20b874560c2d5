import { LostRace, type Work, type Writer } from '#core/database';
import type { Outcome } from '#core/gateways';
import { isoTime, type KeptAnswer, later, realNow, ServiceError, unreachable } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { ANSWERED, onceNameOf } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import { countStanding } from '../aggregates/counts.ts';
import { countMovement, recount } from '../aggregates/facts.ts';
import { finishAttempt, settleAttempt } from '../attempts/attempts.ts';
import { concludeChange } from '../capture/conclude-change.ts';
import { watchExpiry } from '../capture/expiries.ts';
import { entryOf, transferOf } from '../entries.ts';
import { decidedEvent } from '../events.ts';
import { type Stop, stopAfter } from '../fraud/rules.ts';
import type { Ending, Needs } from '../needs.ts';
import { type Final, reasonOf, refusal, resultOf } from '../outcome.ts';
import { lockTransaction, readRefund, readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptAlert, type AttemptRow, CONCLUDE_TRANSACTION, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund, toTransaction } from '../transaction.ts';
import { adviceText } from './advice.ts';
import { autoVoidOf, carryOut } from './auto-void.ts';
import { keepOnFile } from './keep-on-file.ts';
import { keepChain } from './stored-credentials.ts';

/**
 * Where every attempt ends, on the straight path and in recovery alike (design, rule 3). Records what the gateway said and answers with the
 * ending to render; GATEWAY_TIMEOUT when the outcome is unknown: then recovery asks, and nobody may send again.
 */
export async function conclude(on: Needs, attempt: AttemptRow, outcome: Outcome, known: Known = {}): Promise<Ending> {
  if ((outcome.kind === 'unknown' || outcome.kind === 'not-sent') && outcome.alert) raise(on, attempt, outcome.alert);
  if (outcome.kind === 'unknown') throw await leaveInDoubt(on, attempt, outcome);
  if (outcome.kind === 'pending') return holdOpen(on, attempt, outcome);
  if (isNew(attempt)) {
    const row = known.transaction ?? (await readTransaction(on.database.read(attempt.tenant_id), attempt.transaction_id));
    return concludeNew(on, attempt, row, outcome);
  }
  return concludeChange(on, attempt, outcome, known.heldUntilMs);
}

/** What whoever asked knows besides. */
interface Known {
  /** The row of a new payment. */
  readonly transaction?: TransactionRow;
  /** Of a capture that is decided here: when its gateway is told. */
  readonly heldUntilMs?: number;
}

/** Whether an attempt makes a payment, rather than change one. */
export function isNew({ operation }: Pick<AttemptRow, 'operation'>): boolean {
  return operation === 'sale' || operation === 'auth' || operation === 'credit';
}

/** Tells the log of what a person must look at. */
export function raise(on: Needs, attempt: AttemptRow, alert: AttemptAlert): void {
  const { transaction_id: transactionId, processor_ref: processorRef, gateway, operation } = attempt;
  on.report('A payment at a gateway needs a person', { alert, transactionId, processorRef, gateway, operation });
}

/** The job that asks about attempts in doubt. */
export const DOUBT_JOB = 'payments.settle-doubt';
/** How long a payment held for review rests before it is asked for again. */
const HELD_POLL_MS = 60_000;

/** The row of a new transaction as its outcome makes it. */
export function concluded(row: TransactionRow, outcome: Final, at: string): TransactionRow {
  const result = { ...row, updated_at: at, pending_reason: null };
  switch (outcome.kind) {
    case 'approved': {
      const takesMoney = row.type === 'sale';
      return {
        ...result,
        status: 'approved',
        captured_minor: takesMoney ? row.amount_minor : 0,
        captured_at: takesMoney ? at : null,
        gateway_reference: outcome.reference,
        auth_code: outcome.authCode ?? null,
        avs_response: outcome.avsResponse ?? null,
        cvv_response: outcome.cvvResponse ?? null,
      };
    }
    case 'declined':
      return {
        ...result,
        status: 'declined',
        decline_code: outcome.declineCode,
        decline_reason: outcome.declineReason,
        avs_response: outcome.avsResponse ?? null,
        cvv_response: outcome.cvvResponse ?? null,
        gateway_reference: outcome.heldUnder ?? null,
        retry_advice: outcome.advice ? adviceText(outcome.advice) : null,
      };
    case 'not-sent':
      return { ...result, status: 'failed' };
    default:
      return unreachable(outcome);
  }
}

async function concludeNew(on: Needs, attempt: AttemptRow, row: TransactionRow, outcome: Final): Promise<Ending> {
  const now = on.clockOf(row.tenant_id).now();
  const at = isoTime(now);
  const merchant =
    outcome.kind === 'approved' ? await on.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id) : null;
  const stop = merchant && stopOf(merchant, row, outcome);
  const final = stop ? stopped(concluded(row, outcome, at), stop) : concluded(row, outcome, at);
  const isHeldThere = stop !== null || (outcome.kind === 'declined' && outcome.heldUnder !== undefined);
  const undoing = isHeldThere ? autoVoidOf(on, final) : null;
  const transaction = toTransaction(final);
  const error = outcome.kind === 'not-sent' ? refusal(outcome, attempt) : null;
  const ending: Ending = error ? { error } : { transaction };
  const once = onceNameOf(attempt);
  const answer = once && !error ? on.renderAnswer(once.route, ending) : null;
  try {
    await on.database.unitOfWork.record(row.tenant_id, (batch) => {
      batch.settle(CONCLUDE_TRANSACTION, final);
      settleAttempt(batch, attempt, resultOf(outcome), stop ? `${stop.declineCode}: ${stop.declineReason}` : reasonOf(outcome), at);
      if (undoing) batch.insert(ATTEMPTS, undoing);
      if (once && answer) on.once.finish(batch, row.tenant_id, once, answer);
      else if (once) on.once.giveBack(batch, row.tenant_id, once);
      enterDecided(on, batch, attempt, final, resultOf(outcome), merchant, now);
      if (final.status === 'failed') return;
      const { tenant_id, type } = final;
      if (final.status === 'approved' && type === 'auth') watchExpiry(batch, tenant_id, row.id, now);
      batch.afterCommit(() => on.changed(tenant_id, 'transactions'));
    });
  } catch (lost) {
    if (!(lost instanceof LostRace)) throw lost;
    return { transaction: toTransaction(await afterLostRace(on, attempt, outcome)) };
  }
  if (undoing) await carryOut(on, undoing, final);
  if (final.status === 'approved') await keepChain(on, final, outcome);
  await keepOnFile(on, final);
  if (error) throw error;
  return ending;
}

/** What follows from a new payment's end beside its own rows: counters, the movement of its money, the audit entry and the event. */
export function enterDecided(
  on: Pick<Needs, 'post' | 'audit' | 'emit'>,
  batch: Writer,
  attempt: AttemptRow,
  final: TransactionRow,
  result: string,
  merchant: Merchant | null,
  nowMs: number,
): void {
  const { tenant_id, id, merchant_id, status, type, amount_minor } = final;
  countStanding(batch, final, status, 1);
  recount(batch, null, final);
  const moved = type === 'credit' ? 'credit' : final.captured_minor > 0 ? 'capture' : null;
  if (merchant && status === 'approved' && moved) {
    const transfer = transferOf(merchant, attempt, id, moved, amount_minor, nowMs);
    on.post(batch, transfer);
    countMovement(batch, final, moved, amount_minor, transfer.day);
  }
  on.audit(batch, entryOf(attempt, final, result));
  if (status === 'failed') return;
  on.emit(batch, { tenantId: tenant_id, merchantId: merchant_id, resourceId: id, atMs: nowMs, ...decidedEvent(toTransaction(final)) });
}

/** The merchant's rule that undoes what the gateway approved, if one does; money that goes out is not looked at. */
function stopOf({ fraud }: Merchant, row: TransactionRow, outcome: Final): Stop | null {
  return outcome.kind !== 'approved' || row.type === 'credit' ? null : stopAfter(fraud, outcome);
}

/** Approved by the gateway, declined by the merchant: what it holds is voided there. */
function stopped(row: TransactionRow, { declineCode, declineReason }: Stop): TransactionRow {
  return {
    ...row,
    status: 'declined',
    captured_minor: 0,
    captured_at: null,
    auth_code: null,
    decline_code: declineCode,
    decline_reason: declineReason,
  };
}

/** Leaves the attempt to recovery and answers with what the caller is told now. */
async function leaveInDoubt(
  on: Needs,
  attempt: AttemptRow,
  { cause, alert }: Extract<Outcome, { kind: 'unknown' }>,
): Promise<ServiceError> {
  const error = new ServiceError(
    'GATEWAY_TIMEOUT',
    'The payment gateway did not answer. The outcome is being found out; do not charge again.',
    {
      details: { transactionId: attempt.transaction_id },
      cause,
    },
  );
  const once = onceNameOf(attempt);
  const answer: KeptAnswer | null = once ? on.renderAnswer(once.route, { error }) : null;
  await on.database.unitOfWork.run(attempt.tenant_id, async (work) => {
    const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
    if (row?.state !== 'sending') return;
    await work.update(ATTEMPTS, { id: attempt.id }, { state: 'doubt', alert: alert ?? null, ...released(realNow()), ...ANSWERED });
    if (once && answer) await on.once.finishIn(work, once, answer);
    work.afterCommit(() => on.changed(attempt.tenant_id, 'transactions'));
  });
  on.wake(DOUBT_JOB);
  return error;
}

/** The gateway has the payment but has not decided: it stays pending, and recovery asks until it is released. */
async function holdOpen(on: Needs, attempt: AttemptRow, outcome: Extract<Outcome, { kind: 'pending' }>): Promise<Ending> {
  const once = onceNameOf(attempt);
  const at = isoTime(on.clockOf(attempt.tenant_id).now());
  const ending = await on.database.unitOfWork.run(attempt.tenant_id, async (work): Promise<Ending> => {
    const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
    // Recovery may have ended it meanwhile.
    if (row?.state === 'sending') {
      if (isNew(attempt)) await noteHeld(work, attempt, outcome, at);
      await work.update(ATTEMPTS, { id: attempt.id }, { state: 'doubt', ...released(later(realNow(), HELD_POLL_MS)), ...ANSWERED });
    }
    const present = attempt.refund_id
      ? { refund: toRefund(await readRefund(work, attempt.refund_id)) }
      : { transaction: toTransaction(await readTransaction(work, attempt.transaction_id)) };
    if (once) await on.once.finishIn(work, once, on.renderAnswer(once.route, present));
    return present;
  });
  on.wake(DOUBT_JOB);
  return ending;
}

/** Why a new payment is not decided, and under what name its gateway has it. */
export async function noteHeld(
  work: Work,
  attempt: AttemptRow,
  { reference, reason }: Extract<Outcome, { kind: 'pending' }>,
  at: string,
): Promise<void> {
  const held = { gateway_reference: reference, pending_reason: reason, updated_at: at };
  await work.update(TRANSACTIONS, { id: attempt.transaction_id, status: 'pending' }, held);
}

/**
 * Somebody else ended the payment first, and that stands. Where it was given up and the gateway approves it after all, its money is given back by a void that is
 * repeated until it holds, and a person is told.
 */
async function afterLostRace(on: Needs, attempt: AttemptRow, outcome: Final): Promise<TransactionRow> {
  const { tenant_id, id, transaction_id } = attempt;
  const at = isoTime(on.clockOf(tenant_id).now());
  const late = await on.database.unitOfWork.run(tenant_id, async (work) => {
    const row = await lockTransaction(work, transaction_id);
    await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), at);
    if (outcome.kind !== 'approved' || (row.status !== 'failed' && row.status !== 'declined')) return null;
    const voids = await work.find(ATTEMPTS, { transaction_id, operation: 'void', gateway_id: attempt.gateway_id });
    if (voids.length > 0) return null;
    const { gateway, gateway_id, processor_ref } = attempt;
    const taken = { gateway, gateway_id, processor_ref, gateway_reference: outcome.reference, updated_at: at };
    await work.update(TRANSACTIONS, { id: row.id }, taken);
    const undoing = autoVoidOf(on, { ...row, ...taken });
    work.insert(ATTEMPTS, undoing);
    await work.update(ATTEMPTS, { id }, { alert: 'late-approval' });
    return { row: { ...row, ...taken }, undoing };
  });
  if (late) {
    raise(on, attempt, 'late-approval');
    await carryOut(on, late.undoing, late.row);
  }
  return readTransaction(on.database.read(tenant_id), transaction_id);
}
