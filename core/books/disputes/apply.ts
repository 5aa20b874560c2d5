import type { Work } from '#core/database';
import { formatDecimal, isoTime, type Money, money, newId } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { AuditActor } from '#core/records/audit';
import type { DisputedPayment } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { nextReminderMs } from './due-dates.ts';
import { DISPUTE_MOVEMENTS, DISPUTES, type DisputeMovementKind, type DisputeRow } from './schema.ts';
import { type DisputeOperation, isActive, nextStatus, returnedAfter, stageAfter, withheldAfter } from './steps.ts';

export const REMIND_JOB = 'disputes.remind';

/** Further changes that accompany an operation. */
interface Accompanying {
  /** Fee of the processor for this step, above 0. */
  readonly fee?: Money | null;
  /** Part of the withheld amount that a decision returns; see `withheldAfter`. */
  readonly returnedMinor?: number;
  readonly set?: Partial<Pick<DisputeRow, 'due_date' | 'submitted_at' | 'submitted_pack_id' | 'notes'>>;
}

/** Past tense of an operation, for the audit log. */
const ACTIONS: Readonly<Record<DisputeOperation, string>> = {
  chargeBack: 'charged_back',
  submit: 'submitted',
  reopen: 'reopened',
  accept: 'accepted',
  prearbitrate: 'prearbitration_opened',
  arbitrate: 'arbitration_opened',
  win: 'won',
  lose: 'lost',
};

/**
 * Applies an operation to a dispute whose payment and row are locked: changes the status, moves the money, publishes the event and writes
 * the audit entry. Returns the changed row. @throws ServiceError RESOURCE_CONFLICT with the refusal of the transition table.
 */
export async function applyOperation(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  locked: { readonly row: DisputeRow; readonly payment: DisputedPayment },
  operation: DisputeOperation,
  { fee = null, returnedMinor, set = {} }: Accompanying = {},
): Promise<DisputeRow> {
  const { row, payment } = locked;
  const status = nextStatus(row, operation);
  const at = isoTime(payment.now);
  const withheld_minor = withheldAfter(operation, row, returnedMinor);
  const changed: DisputeRow = {
    ...row,
    ...set,
    status,
    stage: stageAfter(row.stage, operation),
    withheld_minor,
    returned_minor: returnedAfter(operation, row.returned_minor, row.withheld_minor, withheld_minor),
    concluded_at: isActive(status) ? null : at,
    updated_at: at,
  };
  await moveMoney(deps, work, payment, changed, withheld_minor - row.withheld_minor);
  const next = await saveDispute(work, payment, await chargeFee(deps, work, payment, changed, fee));
  emitFor(deps, work, payment, next, operation);
  const event = { tenantId: row.tenant_id, transactionId: row.transaction_id };
  if (status === 'won') await deps.events.publish(work, 'payment.dispute-won', event);
  else if (row.status === 'won') await deps.events.publish(work, 'payment.disputed', { ...event, atMs: payment.now });
  auditDispute(deps, work, actor, ACTIONS[operation], row, next);
  return next;
}

/** Stores a changed row with the time of its next reminder, and reports it to open screens. */
export async function saveDispute(work: Work, { timeZone, now }: DisputedPayment, row: DisputeRow): Promise<DisputeRow> {
  const next = { ...row, ...released(nextReminderMs(row, timeZone, now)) };
  const { tenant_id, id, fence: _fence, ...set } = next;
  await work.update(DISPUTES, { tenant_id, id }, set);
  return next;
}

/** Withholds an amount from the merchant, or returns it if it is negative. */
export async function moveMoney(
  deps: Dependencies,
  work: Work,
  payment: DisputedPayment,
  row: DisputeRow,
  withheldChangeMinor: number,
): Promise<void> {
  if (withheldChangeMinor > 0) await transfer(deps, work, payment, row, 'chargeback', withheldChangeMinor);
  if (withheldChangeMinor < 0) await transfer(deps, work, payment, row, 'chargeback_reversed', -withheldChangeMinor);
}

/** Posts a fee and returns the row with its fees. */
export async function chargeFee(
  deps: Dependencies,
  work: Work,
  payment: DisputedPayment,
  row: DisputeRow,
  fee: Money | null,
): Promise<DisputeRow> {
  if (fee === null) return row;
  await transfer(deps, work, payment, row, 'dispute_fee', fee.minor);
  return { ...row, fees_minor: row.fees_minor + fee.minor };
}

async function transfer(
  deps: Dependencies,
  work: Work,
  payment: DisputedPayment,
  row: DisputeRow,
  kind: DisputeMovementKind,
  minor: number,
): Promise<void> {
  const id = newId('dsm', payment.now);
  work.insert(DISPUTE_MOVEMENTS, {
    tenant_id: row.tenant_id,
    id,
    dispute_id: row.id,
    transaction_id: row.transaction_id,
    merchant_id: row.merchant_id,
    currency: row.currency,
    kind,
    amount_minor: kind === 'chargeback_reversed' ? minor : -minor,
    at: isoTime(payment.now),
    settled_at: null,
    settlement_date: null,
    settlement_id: null,
  });
  const amount = money(minor, payment.currency);
  await deps.payments.disputed.transfer(work, row.tenant_id, payment, { id, disputeId: row.id, kind, amount });
}

/** Publishes `chargeback.received` for each move of the payer's bank, and `chargeback.won` or `chargeback.lost` for the end. */
export function emitFor(
  deps: Dependencies,
  work: Work,
  payment: DisputedPayment,
  row: DisputeRow,
  operation: DisputeOperation | null,
): void {
  const base = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.transaction_id, atMs: payment.now };
  const amount = money(row.amount_minor, payment.currency);
  const data = { chargebackId: row.id, transactionId: row.transaction_id, amount };
  const returnedAmount = money(row.returned_minor, payment.currency);
  const { reason, due_date: dueDate, stage } = row;
  switch (operation) {
    case 'chargeBack':
    case 'prearbitrate':
    case 'arbitrate':
      deps.emit(work, { ...base, type: 'chargeback.received', data: { ...data, reason, dueDate, stage } });
      break;
    case 'win':
      deps.emit(work, { ...base, type: 'chargeback.won', data: { ...data, outcome: 'won', returnedAmount } });
      break;
    case 'lose':
    case 'accept':
      deps.emit(work, { ...base, type: 'chargeback.lost', data: { ...data, outcome: row.status, returnedAmount } });
      break;
    default:
  }
  work.afterCommit(() => {
    deps.changed(row.tenant_id, 'disputes', row.merchant_id);
    deps.wake(REMIND_JOB, row.tenant_id);
  });
}

/** Returns the fields of a dispute that the audit log keeps. */
function auditFields(row: DisputeRow, { currency }: Pick<Money, 'currency'>) {
  const decimal = (minor: number) => formatDecimal(money(minor, currency));
  return {
    transactionId: row.transaction_id,
    status: row.status,
    stage: row.stage,
    reasonCode: row.reason_code,
    reason: row.reason,
    amount: decimal(row.amount_minor),
    currency: row.currency,
    withheldAmount: decimal(row.withheld_minor),
    returnedAmount: decimal(row.returned_minor),
    feesAmount: decimal(row.fees_minor),
    dueDate: row.due_date,
    notes: row.notes,
    processorCase: row.processor_case,
    submittedPackId: row.submitted_pack_id,
  };
}

export function auditDispute(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  action: string,
  before: DisputeRow | null,
  after: DisputeRow,
  more: Record<string, unknown> = {},
): void {
  const currency = money(0, after.currency as Money['currency']);
  deps.audit(work, {
    actor,
    action: `dispute.${action}`,
    resource: `disputes/${after.id}`,
    merchantId: after.merchant_id,
    before: before === null ? null : auditFields(before, currency),
    after: { ...auditFields(after, currency), ...more },
  });
}
