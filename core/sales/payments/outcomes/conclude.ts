import { LostRace, type Work, type Writer } from '#core/database';
import { isoTime, later, realNow, ServiceError, type StoredResponse, unreachable } from '#core/kernel';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import type { Outcome } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { OrderPart } from '#core/records/ledger';
import { recount } from '../aggregates/daily-aggregates.ts';
import { countInLists } from '../aggregates/list-counters.ts';
import { concludeAttempt, finishAttempt } from '../attempts/attempts.ts';
import { auditEntryOf, postMovement, transferOf } from '../audit-and-ledger.ts';
import { adviceText } from '../declines.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { decidedEvent } from '../events.ts';
import { checkAfterAuthorization, type FraudDecline } from '../fraud/rules.ts';
import { announceEndOfCredit, decideShare, paysOrder, withApprovedDiscount } from '../order-payments.ts';
import { reasonOf, refusal, resultOf, type TerminalOutcome } from '../outcome.ts';
import type { Transaction } from '../records.ts';
import { lockTransaction, readRefund, readTransaction } from '../repository.ts';
import {
  ATTEMPTS,
  type AttemptAlert,
  type AttemptRow,
  CONCLUDE_AT_TERMINAL,
  CONCLUDE_PART,
  CONCLUDE_TRANSACTION,
  TRANSACTIONS,
  type TransactionRow,
} from '../schema.ts';
import { checkedAnswer } from '../terminal-facts/amounts.ts';
import { concludedColumns } from '../terminal-facts/conclusion.ts';
import { terminalEvent } from '../terminal-facts/events.ts';
import { isAtTerminal } from '../terminal-facts/facts.ts';
import { isOnHostedPage, toRefund, toTransaction } from '../transaction.ts';
import { autoVoidOf, sendAutoVoid } from './auto-void.ts';
import { concludeChange } from './conclude-change.ts';
import { scheduleExpiry } from './expiries.ts';
import { storePaymentMethod } from './keep-on-file.ts';
import { storeCredential } from './stored-credentials.ts';

/**
 * Concludes an attempt, for requests and for recovery: records the gateway's response and returns the result to render.
 * @throws ServiceError GATEWAY_TIMEOUT if the outcome is unknown; recovery then inquires, and nothing is sent again.
 */
export async function conclude(
  deps: Dependencies,
  attempt: AttemptRow,
  answer: Outcome,
  context: ConcludeContext = {},
): Promise<PaymentResult> {
  const row = isNewPayment(attempt)
    ? (context.transaction ?? (await readTransaction(deps.database.read(attempt.tenant_id), attempt.transaction_id)))
    : null;
  const outcome = row === null ? answer : checkedAnswer(row, answer);
  if ((outcome.kind === 'unknown' || outcome.kind === 'not-sent') && outcome.alert) reportAlert(deps, attempt, outcome.alert);
  if (outcome.kind === 'unknown') throw await leaveUnconfirmed(deps, attempt, outcome);
  if (outcome.kind === 'pending') return leavePending(deps, attempt, outcome);
  if (row !== null) return concludeNew(deps, attempt, row, outcome, context.write);
  return concludeChange(deps, attempt, outcome, context.heldUntilMs);
}

/** Data that the caller has already. */
interface ConcludeContext {
  /** The row of a new payment. */
  readonly transaction?: TransactionRow;
  /** Writes other rows together with the outcome of a new payment; omitted if one of them was changed in the meantime. */
  readonly write?: ((writer: Writer, transaction: Transaction) => void) | undefined;
  /** For a held capture: the time at which it is sent to its gateway. */
  readonly heldUntilMs?: number;
}

/** Returns true if an attempt creates a payment instead of changing one. */
export function isNewPayment({ operation }: Pick<AttemptRow, 'operation'>): boolean {
  return operation === 'sale' || operation === 'auth' || operation === 'credit';
}

/** Logs a situation that requires a person. */
export function reportAlert(deps: Dependencies, attempt: AttemptRow, alert: AttemptAlert): void {
  const { transaction_id: transactionId, processor_ref: processorRef, gateway, operation } = attempt;
  deps.report('A payment at a gateway requires manual review', { alert, transactionId, processorRef, gateway, operation });
}

/** Name of the job that inquires about unconfirmed attempts and sends held ones. */
export const RESOLVE_JOB = 'payments.conclude-unconfirmed';
/** Interval of inquiries about a payment that a gateway holds for review. */
const REVIEW_POLL_MS = 60_000;

/** Returns the row of a new transaction after its outcome. */
export function concludedRow(row: TransactionRow, outcome: TerminalOutcome, at: string): TransactionRow {
  const result = { ...row, updated_at: at, pending_reason: null, ...concludedColumns(row, outcome) };
  switch (outcome.kind) {
    case 'approved': {
      const takesMoney = row.type === 'sale';
      return {
        ...result,
        status: 'approved',
        captured_minor: takesMoney ? result.amount_minor : 0,
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
        gateway_reference: outcome.referenceToVoid ?? null,
        retry_advice: outcome.advice ? adviceText(outcome.advice) : null,
      };
    case 'not-sent':
      return { ...result, status: 'failed' };
    default:
      return unreachable(outcome);
  }
}

async function concludeNew(
  deps: Dependencies,
  sent: AttemptRow,
  row: TransactionRow,
  outcome: TerminalOutcome,
  writeOthers: ConcludeContext['write'],
): Promise<PaymentResult> {
  const now = deps.clockOf(row.tenant_id).now();
  const at = isoTime(now);
  const merchant =
    outcome.kind === 'approved' ? await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id) : null;
  const fraudDecline = merchant && fraudDeclineOf(merchant, row, outcome);
  const concluded = withApprovedDiscount(row, concludedRow(row, outcome, at));
  const final = fraudDecline ? declinedByRule(concluded, fraudDecline) : concluded;
  const { amount_minor, tip_minor, surcharge_minor, tax_minor } = final;
  // A part may be approved, and a reader may add to the amount.
  const attempt = { ...sent, amount_minor, tip_minor, surcharge_minor, tax_minor };
  const mustVoid = fraudDecline !== null || (outcome.kind === 'declined' && outcome.referenceToVoid !== undefined);
  const autoVoid = mustVoid ? autoVoidOf(deps, final) : null;
  const transaction = toTransaction(final);
  const error = outcome.kind === 'not-sent' && outcome.canceledBy === undefined ? refusal(outcome, attempt) : null;
  const result: PaymentResult = error ? { error } : { transaction };
  const idempotencyKey = keyNameOf(attempt);
  const response = idempotencyKey && !error ? deps.renderResponse(idempotencyKey.route, result) : null;
  const write = (others: ConcludeContext['write']) => {
    const fill = (batch: Writer, orderPart: OrderPart | null = null) => {
      batch.guardedUpdate(conclusionOf(final), final);
      concludeAttempt(
        batch,
        attempt,
        resultOf(outcome),
        fraudDecline ? `${fraudDecline.declineCode}: ${fraudDecline.declineReason}` : reasonOf(outcome),
        at,
      );
      if (autoVoid) batch.insert(ATTEMPTS, autoVoid);
      if (idempotencyKey && response) deps.idempotencyKeys.complete(batch, row.tenant_id, idempotencyKey, response);
      else if (idempotencyKey) deps.idempotencyKeys.release(batch, row.tenant_id, idempotencyKey);
      writeEffects(deps, batch, attempt, { row: final, transaction, orderPart }, resultOf(outcome), merchant, now);
      releaseDiscount(deps, batch, final);
      const { tenant_id, type } = final;
      if (isAtTerminal(final))
        for (const topic of ['transactions', 'terminals'] as const)
          batch.afterCommit(() => deps.changed(tenant_id, topic, row.merchant_id));
      if (final.status === 'failed') return;
      if (final.status === 'approved' && type === 'auth') scheduleExpiry(batch, tenant_id, row.id, now);
      batch.afterCommit(() => deps.changed(tenant_id, 'transactions', row.merchant_id));
      others?.(batch, transaction);
    };
    const isCreditWithoutEffect = final.type === 'credit' && final.credit_of !== null && final.status !== 'approved';
    if (!paysOrder(final) && !isCreditWithoutEffect) return deps.database.unitOfWork.writeBatch(row.tenant_id, (batch) => fill(batch));
    return deps.database.unitOfWork.transaction(row.tenant_id, async (work) => {
      fill(work, await decideShare(deps, work, attempt, final));
      if (isCreditWithoutEffect) await announceEndOfCredit(deps, work, attempt, final);
    });
  };
  try {
    // The writes of others never prevent the outcome.
    if (writeOthers)
      await write(writeOthers).catch((lost: unknown) => (lost instanceof LostRace ? write(undefined) : Promise.reject(lost)));
    else await write(undefined);
  } catch (lost) {
    if (!(lost instanceof LostRace)) throw lost;
    return { transaction: toTransaction(await afterLostRace(deps, attempt, outcome)) };
  }
  if (autoVoid) await sendAutoVoid(deps, autoVoid, final);
  if (final.status === 'approved') await storeCredential(deps, final, outcome);
  await storePaymentMethod(deps, final);
  if (error) throw error;
  return result;
}

/** Returns the update that concludes a payment, with the columns that its outcome may change. */
function conclusionOf(row: TransactionRow): typeof CONCLUDE_TRANSACTION {
  if (isAtTerminal(row)) return CONCLUDE_AT_TERMINAL;
  return row.requested_minor === null ? CONCLUDE_TRANSACTION : CONCLUDE_PART;
}

/** Opens the granted discount of a payment without effect again, so that the customer can pay with another card. */
function releaseDiscount(deps: Dependencies, batch: Writer, { tenant_id, id, status, discount_id }: TransactionRow): void {
  if (discount_id === null || (status !== 'declined' && status !== 'failed')) return;
  deps.discounts.release(batch, { tenant_id, id: discount_id, payment_id: id });
}

/** A new payment after its outcome: its row, and the same in the form of the API. */
interface ConcludedPayment {
  readonly row: TransactionRow;
  readonly transaction: Transaction;
  /** For a payment of an order. */
  readonly orderPart?: OrderPart | null;
}

/**
 * Writes the effects of the outcome of a new payment outside of its own rows: counters, ledger transfers, audit entry and event.
 */
export function writeEffects(
  deps: Pick<Dependencies, 'post' | 'audit' | 'emit'>,
  batch: Writer,
  attempt: AttemptRow,
  { row: final, transaction, orderPart = null }: ConcludedPayment,
  result: string,
  merchant: Merchant | null,
  nowMs: number,
): void {
  const { tenant_id, id, merchant_id, status, type, amount_minor } = final;
  countInLists(batch, final, status, 1);
  recount(batch, null, final);
  const movement = type === 'credit' ? 'credit' : final.captured_minor > 0 ? 'capture' : null;
  if (merchant && status === 'approved' && movement) {
    const transfer = { ...transferOf(merchant, attempt, id, movement, amount_minor, nowMs), orderPart };
    postMovement(deps, batch, transfer, final, final);
  }
  deps.audit(batch, auditEntryOf(attempt, final, result));
  const onReader = terminalEvent(transaction);
  if (onReader) deps.emit(batch, { tenantId: tenant_id, merchantId: merchant_id, resourceId: id, atMs: nowMs, ...onReader });
  if (status === 'failed') return;
  deps.emit(batch, { tenantId: tenant_id, merchantId: merchant_id, resourceId: id, atMs: nowMs, ...decidedEvent(transaction) });
}

/**
 * Returns the decline by a rule of the merchant after an approval, or null. Unlinked credits are not checked, nor payments on a page of the processor, which
 * has shown a receipt to the payer.
 */
function fraudDeclineOf({ fraud }: Merchant, row: TransactionRow, outcome: TerminalOutcome): FraudDecline | null {
  return outcome.kind !== 'approved' || row.type === 'credit' || isOnHostedPage(row) ? null : checkAfterAuthorization(fraud, outcome);
}

/** Returns the row of a payment that the gateway approved and a rule of the merchant declined. It is voided at the gateway. */
function declinedByRule(row: TransactionRow, { declineCode, declineReason }: FraudDecline): TransactionRow {
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

/** Leaves the attempt to recovery, and returns the error for the caller. */
async function leaveUnconfirmed(
  deps: Dependencies,
  attempt: AttemptRow,
  { cause, alert }: Extract<Outcome, { kind: 'unknown' }>,
): Promise<ServiceError> {
  const error = new ServiceError(
    'GATEWAY_TIMEOUT',
    'The payment gateway did not respond. Paydesk is inquiring about the outcome. Do not charge again.',
    {
      details: { transactionId: attempt.transaction_id },
      cause,
    },
  );
  const idempotencyKey = keyNameOf(attempt);
  const response: StoredResponse | null = idempotencyKey ? deps.renderResponse(idempotencyKey.route, { error }) : null;
  await deps.database.unitOfWork.transaction(attempt.tenant_id, async (work) => {
    const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
    if (row?.state !== 'sending') return;
    await work.update(
      ATTEMPTS,
      { id: attempt.id },
      { state: 'unconfirmed', alert: alert ?? null, ...released(realNow()), ...NO_IDEMPOTENCY_KEY },
    );
    if (idempotencyKey && response) await deps.idempotencyKeys.completeInWork(work, idempotencyKey, response);
    const payment = await work.one(TRANSACTIONS, { id: attempt.transaction_id });
    work.afterCommit(() => deps.changed(attempt.tenant_id, 'transactions', payment?.merchant_id ?? null));
  });
  deps.wake(RESOLVE_JOB, attempt.tenant_id);
  return error;
}

/** Leaves a payment that the gateway has not decided `pending`; recovery inquires until it is decided. */
async function leavePending(
  deps: Dependencies,
  attempt: AttemptRow,
  outcome: Extract<Outcome, { kind: 'pending' }>,
): Promise<PaymentResult> {
  const idempotencyKey = keyNameOf(attempt);
  const at = isoTime(deps.clockOf(attempt.tenant_id).now());
  const result = await deps.database.unitOfWork.transaction(attempt.tenant_id, async (work): Promise<PaymentResult> => {
    const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
    // Recovery may have concluded the attempt in the meantime.
    if (row?.state === 'sending') {
      if (isNewPayment(attempt)) await recordReview(work, attempt, outcome, at);
      await work.update(
        ATTEMPTS,
        { id: attempt.id },
        { state: 'unconfirmed', ...released(later(realNow(), REVIEW_POLL_MS)), ...NO_IDEMPOTENCY_KEY },
      );
    }
    const currentResult = attempt.refund_id
      ? { refund: toRefund(await readRefund(work, attempt.refund_id)) }
      : { transaction: toTransaction(await readTransaction(work, attempt.transaction_id)) };
    if (idempotencyKey)
      await deps.idempotencyKeys.completeInWork(work, idempotencyKey, deps.renderResponse(idempotencyKey.route, currentResult));
    return currentResult;
  });
  deps.wake(RESOLVE_JOB, attempt.tenant_id);
  return result;
}

/** Records on a pending payment why the gateway has not decided, and its reference at the gateway. */
export async function recordReview(
  work: Work,
  attempt: AttemptRow,
  { reference, reason }: Extract<Outcome, { kind: 'pending' }>,
  at: string,
): Promise<void> {
  const reviewColumns = { gateway_reference: reference, pending_reason: reason, updated_at: at };
  await work.update(TRANSACTIONS, { id: attempt.transaction_id, status: 'pending' }, reviewColumns);
}

/**
 * Another process concluded the payment first, and its result counts. If it was recorded as failed and the gateway approves it
 * nevertheless, a void is repeated until it succeeds, and a person is notified.
 */
async function afterLostRace(deps: Dependencies, attempt: AttemptRow, outcome: TerminalOutcome): Promise<TransactionRow> {
  const { tenant_id, id, transaction_id } = attempt;
  const at = isoTime(deps.clockOf(tenant_id).now());
  const lateApproval = await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const row = await lockTransaction(work, transaction_id);
    await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), at);
    if (outcome.kind !== 'approved' || (row.status !== 'failed' && row.status !== 'declined')) return null;
    const voids = await work.find(ATTEMPTS, { transaction_id, operation: 'void', gateway_id: attempt.gateway_id });
    if (voids.length > 0) return null;
    const { gateway, gateway_id, processor_ref } = attempt;
    const gatewayColumns = { gateway, gateway_id, processor_ref, gateway_reference: outcome.reference, updated_at: at };
    await work.update(TRANSACTIONS, { id: row.id }, gatewayColumns);
    const autoVoid = autoVoidOf(deps, { ...row, ...gatewayColumns });
    work.insert(ATTEMPTS, autoVoid);
    await work.update(ATTEMPTS, { id }, { alert: 'late-approval' });
    return { row: { ...row, ...gatewayColumns }, undoing: autoVoid };
  });
  if (lateApproval) {
    reportAlert(deps, attempt, 'late-approval');
    await sendAutoVoid(deps, lateApproval.undoing, lateApproval.row);
  }
  return readTransaction(deps.database.read(tenant_id), transaction_id);
}
