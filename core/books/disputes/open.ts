import type { Read, Work } from '#core/database';
import {
  type Action,
  type Actor,
  actionOf,
  addDays,
  amountAboveLimit,
  dateIn,
  isoTime,
  type Money,
  money,
  newId,
  parseDate,
  parseMoney,
  ServiceError,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { dueAt } from '#core/platform/scheduling';
import type { DisputedPayment } from '#core/sales/payments';
import { findReason, schemeOf } from '#shared/dispute-reasons';
import { auditDispute, chargeFee, emitFor, moveMoney, saveDispute } from './apply.ts';
import type { Dependencies } from './dependencies.ts';
import { toDispute } from './dispute.ts';
import { DAYS_TO_RESPOND } from './due-dates.ts';
import type { Dispute } from './records.ts';
import { DISPUTES, type DisputeOrigin, type DisputeRow } from './schema.ts';
import { type DisputeOperation, type DisputeStage, type DisputeStatus, isActive, nextStatus, withheldAfter } from './steps.ts';

/** A new dispute, as a person, a program or a processor reports it. */
export interface NewDispute {
  readonly transactionId: string;
  /** Disputed amount; by default everything that was captured and neither refunded nor charged back. */
  readonly amount?: string | number;
  /** Code of the card scheme, such as 10.4. */
  readonly reasonCode?: string;
  /** Reason in words; by default the name of the code. */
  readonly reason?: string;
  /** Stage that the dispute has reached; by default `chargeback`. */
  readonly stage?: DisputeStage;
  /** Last day to respond, YYYY-MM-DD; by default in 14 days. */
  readonly dueDate?: string;
  readonly processorCase?: string;
  readonly feeAmount?: string | number;
  readonly notes?: string;
}

/** Status and operation of a dispute that begins at a stage. */
const BEGINNINGS: Readonly<Record<DisputeStage, { readonly status: DisputeStatus; readonly operation: DisputeOperation | null }>> = {
  retrieval: { status: 'retrieval', operation: null },
  chargeback: { status: 'open', operation: 'chargeBack' },
  prearbitration: { status: 'prearbitration', operation: 'prearbitrate' },
  arbitration: { status: 'arbitration', operation: 'arbitrate' },
};

/**
 * Opens a dispute by hand, and withholds its amount from the merchant unless it is an inquiry. @throws ServiceError
 * TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED; INVALID_AMOUNT above the captured amount; RESOURCE_CONFLICT if nothing was captured, or
 * a dispute of the payment is active.
 */
export async function openDispute(deps: Dependencies, actor: Actor, input: NewDispute): Promise<Dispute> {
  await deps.payments.disputed.checkScope(actor, input.transactionId);
  const { dispute } = await runIdempotent(deps, actor, async (work) => {
    const payment = await deps.payments.disputed.lock(work, input.transactionId);
    return { dispute: toDispute(await insertDispute(deps, work, actor, payment, input, 'manual')) };
  });
  return dispute;
}

/** Returns whether a dispute of a payment can be opened now, with its largest amount. @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export function openAction(deps: Dependencies, actor: Actor, transactionId: string): Promise<Action> {
  return actionOf(async () => {
    const payment = await deps.payments.disputed.read(actor, transactionId);
    await checkNoneActive(deps.database.read(actor.tenantId), transactionId);
    disputedAmountOf(payment, undefined);
    return { maxAmount: payment.disputable };
  });
}

/** Writes a new dispute of a locked payment. */
export async function insertDispute(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  payment: DisputedPayment,
  input: NewDispute,
  origin: DisputeOrigin,
): Promise<DisputeRow> {
  const { transactionId, now } = payment;
  await checkNoneActive(work, transactionId);
  const amount = disputedAmountOf(payment, input.amount);
  const fee = input.feeAmount === undefined ? null : parseMoney(input.feeAmount, payment.currency, 'feeAmount');
  const scheme = schemeOf(payment.cardBrand);
  const code = reasonCodeOf(scheme, input.reasonCode);
  const known = code === null ? null : findReason(scheme, code);
  const { status, operation } = BEGINNINGS[input.stage ?? 'chargeback'];
  const at = isoTime(now);
  const row: DisputeRow = {
    ...DISPUTES.blank,
    tenant_id: actor.tenantId,
    id: newId('dsp', now),
    merchant_id: payment.merchantId,
    transaction_id: transactionId,
    status,
    stage: input.stage ?? 'chargeback',
    scheme,
    reason_code: known?.code ?? code,
    reason: input.reason ?? known?.name ?? 'fraudulent',
    amount_minor: amount.minor,
    currency: amount.currency,
    withheld_minor: operation === null ? 0 : amount.minor,
    returned_minor: 0,
    fees_minor: 0,
    due_date: dueDateOf(payment, input.dueDate),
    origin,
    processor_case: input.processorCase ?? null,
    notes: input.notes ?? null,
    created_by: actor.name,
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
  work.insert(DISPUTES, row);
  await moveMoney(deps, work, payment, row, row.withheld_minor);
  const saved = await saveDispute(work, payment, await chargeFee(deps, work, payment, row, fee));
  emitFor(deps, work, payment, saved, operation);
  await deps.events.publish(work, 'payment.disputed', { tenantId: actor.tenantId, transactionId, atMs: now });
  auditDispute(deps, work, actor, 'opened', null, saved, { origin });
  return saved;
}

/** Checks that no dispute of a payment is active. @throws ServiceError RESOURCE_CONFLICT. */
async function checkNoneActive(read: Read, transactionId: string): Promise<void> {
  const disputes = await read.find(DISPUTES, { transaction_id: transactionId });
  const active = disputes.find(({ status }) => isActive(status));
  if (active)
    throw new ServiceError('RESOURCE_CONFLICT', 'This payment has an active dispute already.', {
      details: { reason: 'dispute_active', disputeId: active.id },
    });
}

/**
 * Checks that the money that an operation withholds is not disputed otherwise: after a dispute was won, another one of the payment may have been
 * opened. @throws ServiceError RESOURCE_CONFLICT with the reason `dispute_active`, INVALID_AMOUNT.
 */
export async function checkDisputable(
  read: Read,
  { row, payment }: { readonly row: DisputeRow; readonly payment: DisputedPayment },
  operation: DisputeOperation,
): Promise<void> {
  const status = nextStatus(row, operation);
  if (!isActive(row.status) && isActive(status)) await checkNoneActive(read, row.transaction_id);
  const withheld = money(withheldAfter(operation, row) - row.withheld_minor, payment.currency);
  if (withheld.minor > payment.disputable.minor)
    throw amountAboveLimit('The disputed amount exceeds the captured amount.', {
      disputableAmount: payment.disputable,
      requestedAmount: withheld,
    });
}

/**
 * Returns the disputed amount; by default the amount that was not refunded, or the captured amount of a payment that was refunded in full. A bank may
 * dispute an amount that was refunded already, but never more than was captured.
 */
function disputedAmountOf({ currency, disputable, unrefunded }: DisputedPayment, requested: string | number | undefined): Money {
  const amount = requested === undefined ? (unrefunded.minor > 0 ? unrefunded : disputable) : parseMoney(requested, currency);
  if (disputable.minor <= 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'Only a captured payment can be disputed.', {
      details: { reason: 'nothing_captured' },
    });
  if (amount.minor > disputable.minor)
    throw amountAboveLimit(
      'The disputed amount exceeds the captured amount. If the bank withheld more because of exchange rates, send the captured amount, and the difference as `feeAmount`.',
      { disputableAmount: disputable, requestedAmount: amount },
    );
  return amount;
}

/** Returns the trimmed code. @throws ServiceError VALIDATION_ERROR for a code that the scheme does not have. */
export function reasonCodeOf(scheme: DisputeRow['scheme'], code: string | null | undefined): string | null {
  if (code == null || code.trim() === '') return null;
  const known = findReason(scheme, code);
  if (known) return known.code;
  // Schemes without a table of their own, such as JCB, accept any code.
  if (scheme === 'other') return code.trim();
  throw new ServiceError('VALIDATION_ERROR', `\`${code.slice(0, 20)}\` is no reason code of ${scheme}.`, { field: 'reasonCode' });
}

/** Returns the due date. @throws ServiceError INVALID_DATE; VALIDATION_ERROR for a past date. */
export function dueDateOf({ timeZone, now }: Pick<DisputedPayment, 'timeZone' | 'now'>, requested: string | undefined): string {
  const today = dateIn(timeZone, now);
  if (requested === undefined) return addDays(today, DAYS_TO_RESPOND);
  if (parseDate(requested, 'dueDate') >= today) return requested;
  throw new ServiceError('VALIDATION_ERROR', '`dueDate` must not be in the past.', { field: 'dueDate' });
}
