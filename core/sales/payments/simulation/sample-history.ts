import type { GuardedUpdate, Writer } from '#core/database';
import { type Actor, type Currency, isoTime, type Money, money, newId, tenantTime } from '#core/kernel';
import type { Outcome, SampleBooks } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { BankSource, CardSource } from '#core/records/vault';
import type { Channel } from '#shared/channels';
import { recount } from '../aggregates/daily-aggregates.ts';
import { countInLists } from '../aggregates/list-counters.ts';
import { type AttemptInput, type GatewayReference, newAttempt } from '../attempts/attempts.ts';
import { gatewayRequestOf } from '../attempts/call-gateway.ts';
import { auditEntryOf, postMovement, transferOf } from '../audit-and-ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import { refundable } from '../eligibility.ts';
import { refundEvent, voidedEvent } from '../events.ts';
import { reasonOf, resultOf, type TerminalOutcome } from '../outcome.ts';
import { concludedRow, writeEffects } from '../outcomes/conclude.ts';
import { scheduleExpiry } from '../outcomes/expiries.ts';
import { NO_PARTS } from '../parts/parts.ts';
import type { Billing } from '../records.ts';
import { refundRow } from '../refund/refund.ts';
import { chargeRequestOf, newTransaction } from '../sale/submit-payment.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { AUTHORIZATION_LIFETIME_MS, toRefund, toTransaction } from '../transaction.ts';

/** A past payment, with its state after it is written. */
export interface SamplePayment {
  readonly type: 'sale' | 'auth';
  readonly amount: Money;
  readonly merchant: Merchant;
  readonly via: GatewayReference;
  readonly source: CardSource | BankSource;
  readonly token: string;
  readonly channel: Channel;
  readonly billing?: Billing;
  readonly details: Partial<TransactionRow>;
  row: TransactionRow | null;
}

/** One step of a sample history: a new payment, or a change of an earlier one. */
export interface SampleStep {
  readonly kind: 'pay' | 'capture' | 'void' | 'refund';
  readonly atMs: number;
  readonly actor: Actor;
  readonly payment: SamplePayment;
  /** Amount of a capture or refund; by default the full amount. */
  readonly amountMinor?: number;
  readonly reason?: string;
}

export const CHANGE_PAYMENT: GuardedUpdate<TransactionRow> = {
  table: TRANSACTIONS,
  where: ['tenant_id', 'id'],
  set: ['status', 'captured_minor', 'captured_at', 'refunded_minor', 'voided_at', 'void_reason', 'updated_at'],
  guard: "status = 'approved'",
};

/**
 * Writes the steps of a history in one batch, in order, with the effects of the real operations. Used for histories too long to make one
 * payment at a time. A declined payment has no later steps; a batch holds at most one later step per payment. @param moveTo sets the clock
 * of this core. @param untilMs end of the history: everything due before it has happened.
 */
export async function writeSampleHistory(
  deps: Dependencies,
  tenantId: string,
  steps: readonly SampleStep[],
  sampleBooks: SampleBooks,
  moveTo: (ms: number) => void,
  untilMs: number,
): Promise<void> {
  await deps.database.unitOfWork.writeBatch(tenantId, (batch) => {
    for (const step of steps) {
      moveTo(step.atMs);
      if (step.kind === 'pay') pay(deps, batch, step, sampleBooks, untilMs);
      else if (step.payment.row?.status === 'approved') change(deps, batch, step, step.payment.row, sampleBooks);
    }
  });
  await sampleBooks.write();
}

function pay(deps: Dependencies, batch: Writer, { atMs, actor, payment }: SampleStep, sampleBooks: SampleBooks, untilMs: number): void {
  const { type, amount, merchant, via, source } = payment;
  const request = { ...payment, parts: NO_PARTS, method: source.kind, sealed: null };
  const row = newTransaction(deps, actor, request, via);
  const input = { transactionId: row.id, operation: type, via, amountMinor: amount.minor, currency: row.currency };
  const attempt = newAttempt(deps, actor, input, row.processor_ref);
  const outcome = sampleBooks.pay(type, chargeRequestOf(row, request), atMs) as TerminalOutcome;
  const final = concludedRow(row, outcome, isoTime(atMs));
  batch.insert(TRANSACTIONS, final);
  batch.insert(ATTEMPTS, concludedAttempt(attempt, outcome, atMs));
  writeEffects(deps, batch, attempt, { row: final, transaction: toTransaction(final) }, resultOf(outcome), merchant, atMs);
  const endsMs = atMs + AUTHORIZATION_LIFETIME_MS;
  if (type === 'auth' && final.status === 'approved' && endsMs >= untilMs)
    void scheduleExpiry(batch, row.tenant_id, row.id, tenantTime(atMs));
  payment.row = final;
}

function concludedAttempt(attempt: AttemptRow, outcome: Outcome, atMs: number): AttemptRow {
  const final = outcome as TerminalOutcome;
  return { ...attempt, state: 'done', result: resultOf(final), reason: reasonOf(final), due_ms: null, concluded_at: isoTime(atMs) };
}

function change(deps: Dependencies, batch: Writer, step: SampleStep, row: TransactionRow, sampleBooks: SampleBooks): void {
  const { kind, atMs, actor, payment } = step;
  const { merchant } = payment;
  const at = isoTime(atMs);
  const fullAmount = kind === 'refund' ? refundable(row).minor : row.amount_minor;
  const amountMinor = step.amountMinor ?? fullAmount;
  const refundId = kind === 'refund' ? newId('ref', atMs) : undefined;
  const input: AttemptInput = {
    transactionId: row.id,
    refundId,
    operation: kind as 'capture' | 'void' | 'refund',
    via: row,
    amountMinor,
    currency: row.currency,
  };
  const attempt = newAttempt(deps, actor, input);
  const outcome = sampleBooks.change(input.operation as 'capture', gatewayRequestOf(row, attempt), atMs);
  const changed = changedBy(step, row, amountMinor, at);
  batch.guardedUpdate(CHANGE_PAYMENT, changed);
  batch.insert(ATTEMPTS, concludedAttempt(attempt, outcome, atMs));
  deps.audit(batch, auditEntryOf(attempt, row, 'approved'));
  recount(batch, row, changed);
  const eventBase = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
  if (refundId !== undefined) {
    const amount = money(amountMinor, row.currency as Currency);
    const input = refundRow(row, refundId, { amount, parts: NO_PARTS }, { reason: step.reason }, attempt.processor_ref, at);
    const refund = { ...input, status: 'approved', refunded_at: at } as const;
    batch.insert(REFUNDS, refund);
    postMovement(deps, batch, transferOf(merchant, attempt, refundId, 'refund', amountMinor, atMs), row, refund, refund);
    deps.emit(batch, { ...eventBase, ...refundEvent(toRefund(refund)) });
  } else if (kind === 'capture') {
    postMovement(deps, batch, transferOf(merchant, attempt, row.id, 'capture', amountMinor, atMs), row, attempt);
  } else {
    if (row.captured_minor > 0)
      postMovement(deps, batch, transferOf(merchant, attempt, row.id, 'capture_reversed', row.captured_minor, atMs), row, row);
    countInLists(batch, row, row.status, -1);
    countInLists(batch, row, 'voided', 1);
    deps.emit(batch, { ...eventBase, ...voidedEvent(toTransaction(changed)) });
  }
  payment.row = changed;
}

function changedBy({ kind, reason }: SampleStep, row: TransactionRow, amountMinor: number, at: string): TransactionRow {
  if (kind === 'capture') return { ...row, captured_minor: amountMinor, captured_at: at, updated_at: at };
  if (kind === 'refund') return { ...row, refunded_minor: row.refunded_minor + amountMinor, updated_at: at };
  return { ...row, status: 'voided', captured_minor: 0, voided_at: at, void_reason: reason ?? null, updated_at: at };
}
