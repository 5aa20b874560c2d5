import { LostRace, type Work, type Writer } from '#core/database';
import type { Outcome } from '#core/gateways';
import { isoTime, later, realNow, ServiceError, type StoredResponse, unreachable } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { countStanding } from '../aggregates/list-counters.ts';
import { finishAttempt, settleAttempt } from '../attempts/attempts.ts';
import { auditEntryOf, transferOf } from '../audit-and-ledger.ts';
import { concludeChange } from '../capture/conclude-change.ts';
import { watchExpiry } from '../capture/expiries.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { decidedEvent } from '../events.ts';
import { checkAfterAuthorization, type FraudDecline } from '../fraud/rules.ts';
import { reasonOf, refusal, resultOf, type TerminalOutcome } from '../outcome.ts';
import { lockTransaction, readRefund, readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptAlert, type AttemptRow, CONCLUDE_TRANSACTION, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund, toTransaction } from '../transaction.ts';
import { adviceText } from './advice.ts';
import { autoVoidOf, carryOut } from './auto-void.ts';
import { keepOnFile } from './keep-on-file.ts';
import { keepChain } from './stored-credentials.ts';

/**
 * Concludes every attempt, for requests and for recovery (design, rule 3): records the gateway's answer and returns the result to render.
 * @throws ServiceError GATEWAY_TIMEOUT if the outcome is unknown; recovery then inquires, and nothing is sent again.
 */
export async function conclude(deps: Dependencies, attempt: AttemptRow, outcome: Outcome, known: Known = {}): Promise<PaymentResult> {
  if ((outcome.kind === 'unknown' || outcome.kind === 'not-sent') && outcome.alert) raise(deps, attempt, outcome.alert);
  if (outcome.kind === 'unknown') throw await leaveInDoubt(deps, attempt, outcome);
  if (outcome.kind === 'pending') return holdOpen(deps, attempt, outcome);
  if (isNew(attempt)) {
    const row = known.transaction ?? (await readTransaction(deps.database.read(attempt.tenant_id), attempt.transaction_id));
    return concludeNew(deps, attempt, row, outcome);
  }
  return concludeChange(deps, attempt, outcome, known.heldUntilMs);
}

/** Additional knowledge of the caller. */
interface Known {
  /** The row of a new payment. */
  readonly transaction?: TransactionRow;
  /** For a held capture: the time at which it is sent to its gateway. */
  readonly heldUntilMs?: number;
}

/** Returns true if an attempt creates a payment instead of changing one. */
export function isNew({ operation }: Pick<AttemptRow, 'operation'>): boolean {
  return operation === 'sale' || operation === 'auth' || operation === 'credit';
}

/** Logs a situation that requires a person. */
export function raise(deps: Dependencies, attempt: AttemptRow, alert: AttemptAlert): void {
  const { transaction_id: transactionId, processor_ref: processorRef, gateway, operation } = attempt;
  deps.report('A payment at a gateway needs a person', { alert, transactionId, processorRef, gateway, operation });
}

/** The job that asks about attempts in doubt. */
export const RESOLVE_JOB = 'payments.settle-doubt';
/** Interval of inquiries about a payment that is held for review. */
const HELD_POLL_MS = 60_000;

/** The row of a new transaction as its outcome makes it. */
export function concluded(row: TransactionRow, outcome: TerminalOutcome, at: string): TransactionRow {
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

async function concludeNew(deps: Dependencies, attempt: AttemptRow, row: TransactionRow, outcome: TerminalOutcome): Promise<PaymentResult> {
  const now = deps.clockOf(row.tenant_id).now();
  const at = isoTime(now);
  const merchant =
    outcome.kind === 'approved' ? await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id) : null;
  const stop = merchant && stopOf(merchant, row, outcome);
  const final = stop ? stopped(concluded(row, outcome, at), stop) : concluded(row, outcome, at);
  const isHeldThere = stop !== null || (outcome.kind === 'declined' && outcome.heldUnder !== undefined);
  const undoing = isHeldThere ? autoVoidOf(deps, final) : null;
  const transaction = toTransaction(final);
  const error = outcome.kind === 'not-sent' ? refusal(outcome, attempt) : null;
  const ending: PaymentResult = error ? { error } : { transaction };
  const once = keyNameOf(attempt);
  const answer = once && !error ? deps.renderAnswer(once.route, ending) : null;
  try {
    await deps.database.unitOfWork.record(row.tenant_id, (batch) => {
      batch.guardedUpdate(CONCLUDE_TRANSACTION, final);
      settleAttempt(batch, attempt, resultOf(outcome), stop ? `${stop.declineCode}: ${stop.declineReason}` : reasonOf(outcome), at);
      if (undoing) batch.insert(ATTEMPTS, undoing);
      if (once && answer) deps.once.finish(batch, row.tenant_id, once, answer);
      else if (once) deps.once.giveBack(batch, row.tenant_id, once);
      enterDecided(deps, batch, attempt, final, resultOf(outcome), merchant, now);
      if (final.status === 'failed') return;
      const { tenant_id, type } = final;
      if (final.status === 'approved' && type === 'auth') watchExpiry(batch, tenant_id, row.id, now);
      batch.afterCommit(() => deps.changed(tenant_id, 'transactions'));
    });
  } catch (lost) {
    if (!(lost instanceof LostRace)) throw lost;
    return { transaction: toTransaction(await afterLostRace(deps, attempt, outcome)) };
  }
  if (undoing) await carryOut(deps, undoing, final);
  if (final.status === 'approved') await keepChain(deps, final, outcome);
  await keepOnFile(deps, final);
  if (error) throw error;
  return ending;
}

/**
 * Writes everything that follows from the outcome of a new payment besides its own rows: counters, ledger movements, audit entry and event.
 */
export function enterDecided(
  deps: Pick<Dependencies, 'post' | 'audit' | 'emit'>,
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
    deps.post(batch, transfer);
    countMovement(batch, final, moved, amount_minor, transfer.day);
  }
  deps.audit(batch, auditEntryOf(attempt, final, result));
  if (status === 'failed') return;
  deps.emit(batch, { tenantId: tenant_id, merchantId: merchant_id, resourceId: id, atMs: nowMs, ...decidedEvent(toTransaction(final)) });
}

/** The merchant's rule that undoes what the gateway approved, if one does; money that goes out is not looked at. */
function stopOf({ fraud }: Merchant, row: TransactionRow, outcome: TerminalOutcome): FraudDecline | null {
  return outcome.kind !== 'approved' || row.type === 'credit' ? null : checkAfterAuthorization(fraud, outcome);
}

/** Approved by the gateway, declined by the merchant: what it holds is voided there. */
function stopped(row: TransactionRow, { declineCode, declineReason }: FraudDecline): TransactionRow {
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

/** Leaves the attempt to recovery and returns the present answer for the caller. */
async function leaveInDoubt(
  deps: Dependencies,
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
  const once = keyNameOf(attempt);
  const answer: StoredResponse | null = once ? deps.renderAnswer(once.route, { error }) : null;
  await deps.database.unitOfWork.run(attempt.tenant_id, async (work) => {
    const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
    if (row?.state !== 'sending') return;
    await work.update(
      ATTEMPTS,
      { id: attempt.id },
      { state: 'doubt', alert: alert ?? null, ...released(realNow()), ...NO_IDEMPOTENCY_KEY },
    );
    if (once && answer) await deps.once.finishIn(work, once, answer);
    work.afterCommit(() => deps.changed(attempt.tenant_id, 'transactions'));
  });
  deps.wake(RESOLVE_JOB);
  return error;
}

/** The gateway has the payment but has not decided: it stays pending, and recovery asks until it is released. */
async function holdOpen(deps: Dependencies, attempt: AttemptRow, outcome: Extract<Outcome, { kind: 'pending' }>): Promise<PaymentResult> {
  const once = keyNameOf(attempt);
  const at = isoTime(deps.clockOf(attempt.tenant_id).now());
  const ending = await deps.database.unitOfWork.run(attempt.tenant_id, async (work): Promise<PaymentResult> => {
    const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
    // Recovery may have concluded it in the meantime.
    if (row?.state === 'sending') {
      if (isNew(attempt)) await noteHeld(work, attempt, outcome, at);
      await work.update(
        ATTEMPTS,
        { id: attempt.id },
        { state: 'doubt', ...released(later(realNow(), HELD_POLL_MS)), ...NO_IDEMPOTENCY_KEY },
      );
    }
    const present = attempt.refund_id
      ? { refund: toRefund(await readRefund(work, attempt.refund_id)) }
      : { transaction: toTransaction(await readTransaction(work, attempt.transaction_id)) };
    if (once) await deps.once.finishIn(work, once, deps.renderAnswer(once.route, present));
    return present;
  });
  deps.wake(RESOLVE_JOB);
  return ending;
}

/** Returns the columns of an undecided payment: the reason, and its reference at the gateway. */
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
 * Another process concluded the payment first, and its result counts. If it was recorded as failed and the gateway approves it
 * nevertheless, a void is repeated until it succeeds, and a person is notified.
 */
async function afterLostRace(deps: Dependencies, attempt: AttemptRow, outcome: TerminalOutcome): Promise<TransactionRow> {
  const { tenant_id, id, transaction_id } = attempt;
  const at = isoTime(deps.clockOf(tenant_id).now());
  const late = await deps.database.unitOfWork.run(tenant_id, async (work) => {
    const row = await lockTransaction(work, transaction_id);
    await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), at);
    if (outcome.kind !== 'approved' || (row.status !== 'failed' && row.status !== 'declined')) return null;
    const voids = await work.find(ATTEMPTS, { transaction_id, operation: 'void', gateway_id: attempt.gateway_id });
    if (voids.length > 0) return null;
    const { gateway, gateway_id, processor_ref } = attempt;
    const taken = { gateway, gateway_id, processor_ref, gateway_reference: outcome.reference, updated_at: at };
    await work.update(TRANSACTIONS, { id: row.id }, taken);
    const undoing = autoVoidOf(deps, { ...row, ...taken });
    work.insert(ATTEMPTS, undoing);
    await work.update(ATTEMPTS, { id }, { alert: 'late-approval' });
    return { row: { ...row, ...taken }, undoing };
  });
  if (late) {
    raise(deps, attempt, 'late-approval');
    await carryOut(deps, late.undoing, late.row);
  }
  return readTransaction(deps.database.read(tenant_id), transaction_id);
}
