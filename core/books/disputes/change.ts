import type { Work } from '#core/database';
import { type Actor, amountAboveLimit, type Caller, dateIn, isoTime, money, parseMoney, ServiceError } from '#core/kernel';
import type { DisputedPayment } from '#core/sales/payments';
import { findReason } from '#shared/dispute-reasons';
import { applyOperation, auditDispute, saveDispute } from './apply.ts';
import type { Dependencies } from './dependencies.ts';
import { toDispute } from './dispute.ts';
import { checkDisputable, dueDateOf, reasonCodeOf } from './open.ts';
import type { Dispute } from './records.ts';
import { DISPUTE_PACKS, DISPUTES, type DisputeRow } from './schema.ts';
import { type DisputeOperation, nextStatus } from './steps.ts';

/** Fields of a dispute that a person can change; absent ones stay. */
export interface DisputeChange {
  readonly notes?: string | null;
  /** Null removes the code. */
  readonly reasonCode?: string | null;
  readonly reason?: string;
  readonly dueDate?: string;
  readonly processorCase?: string | null;
}

/** `prearbitration` and `arbitration` are escalations by the payer's bank; `chargeback` follows an inquiry. */
export type DisputeOutcome = 'won' | 'lost' | 'chargeback' | 'prearbitration' | 'arbitration';

/** Operation of each outcome. */
export const OUTCOMES: Readonly<Record<DisputeOutcome, DisputeOperation>> = {
  won: 'win',
  lost: 'lose',
  chargeback: 'chargeBack',
  prearbitration: 'prearbitrate',
  arbitration: 'arbitrate',
};

export interface Conclusion {
  readonly outcome: DisputeOutcome;
  readonly feeAmount?: string | number;
  /** Part of the withheld amount that a decision returns to the merchant; by default all of a won dispute, and nothing of a lost one. */
  readonly returnedAmount?: string | number;
  /** Last day to respond to an escalation; by default in 14 days. */
  readonly dueDate?: string;
}

/** Returns a dispute of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findDispute(deps: Dependencies, actor: Caller, disputeId: string): Promise<DisputeRow> {
  const row = await deps.database.read(actor.tenantId).one(DISPUTES, { id: disputeId });
  if (!row) throw new ServiceError('NOT_FOUND', `There is no dispute ${disputeId.slice(0, 60)}.`, { details: { disputeId } });
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

/** Runs a change of a dispute under the locks of its payment and of the dispute. */
export async function withLockedDispute<Result>(
  deps: Dependencies,
  actor: Actor,
  disputeId: string,
  change: (work: Work, locked: { readonly row: DisputeRow; readonly payment: DisputedPayment }) => Promise<Result>,
): Promise<Result> {
  const found = await findDispute(deps, actor, disputeId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const payment = await deps.payments.disputed.lock(work, found.transaction_id);
    const row = await work.lockOne(DISPUTES, { id: disputeId });
    if (!row) throw new ServiceError('NOT_FOUND', `There is no dispute ${disputeId.slice(0, 60)}.`, { details: { disputeId } });
    return change(work, { row, payment });
  });
}

/**
 * Gives a dispute up: the payer keeps the money. It counts against the spending limits of an API key like a refund, because it cannot be undone.
 * @throws ServiceError RESOURCE_CONFLICT, PERMISSION_DENIED.
 */
export function acceptDispute(deps: Dependencies, actor: Actor, disputeId: string): Promise<Dispute> {
  return withLockedDispute(deps, actor, disputeId, async (work, locked) => {
    const { row, payment } = locked;
    nextStatus(row, 'accept');
    await deps.claimSpending(work, actor, money(row.withheld_minor, payment.currency));
    return toDispute(await applyOperation(deps, work, actor, locked, 'accept'));
  });
}

/** Records a decision or an escalation by the payer's bank. @throws ServiceError RESOURCE_CONFLICT, INVALID_AMOUNT, INVALID_DATE. */
export async function concludeDispute(deps: Dependencies, actor: Actor, disputeId: string, input: Conclusion): Promise<Dispute> {
  return withLockedDispute(deps, actor, disputeId, async (work, locked) => {
    const fee = input.feeAmount === undefined ? null : parseMoney(input.feeAmount, locked.payment.currency, 'feeAmount');
    const isEscalation = input.outcome !== 'won' && input.outcome !== 'lost';
    const set = isEscalation ? { due_date: dueDateOf(locked.payment, input.dueDate) } : {};
    const returnedMinor = returnedMinorOf(locked, input);
    await checkDisputable(work, locked, OUTCOMES[input.outcome]);
    return toDispute(await applyOperation(deps, work, actor, locked, OUTCOMES[input.outcome], { fee, returnedMinor, set }));
  });
}

/**
 * Returns the part of the withheld amount that a decision returns; undefined if none is named. @throws ServiceError VALIDATION_ERROR if the outcome is no
 * decision; INVALID_AMOUNT unless a won dispute returns something and a lost one withholds something.
 */
function returnedMinorOf(
  { row, payment: { currency } }: { readonly row: DisputeRow; readonly payment: DisputedPayment },
  { outcome, returnedAmount }: Conclusion,
): number | undefined {
  if (returnedAmount === undefined) return undefined;
  if (outcome !== 'won' && outcome !== 'lost')
    throw new ServiceError('VALIDATION_ERROR', '`returnedAmount` belongs to the outcomes `won` and `lost`.', { field: 'returnedAmount' });
  const returned = parseMoney(returnedAmount, currency, 'returnedAmount');
  const withheldAmount = money(row.withheld_minor, currency);
  const limits = { withheldAmount, requestedAmount: returned };
  if (returned.minor > withheldAmount.minor)
    throw amountAboveLimit('The returned amount exceeds the withheld amount.', limits, 'returnedAmount');
  if (outcome === 'lost' && returned.minor === withheldAmount.minor)
    throw amountAboveLimit('A lost dispute returns less than the withheld amount. Record it as won.', limits, 'returnedAmount');
  return returned.minor;
}

/** Records that the evidence was sent to the acquirer, with the pack that was sent, if any. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
export async function submitDispute(deps: Dependencies, actor: Actor, disputeId: string, packId?: string): Promise<Dispute> {
  if (packId !== undefined) await checkPack(deps, actor, disputeId, packId);
  return withLockedDispute(deps, actor, disputeId, async (work, locked) => {
    const set = { submitted_at: isoTime(locked.payment.now), submitted_pack_id: packId ?? null };
    return toDispute(await applyOperation(deps, work, actor, locked, 'submit', { set }));
  });
}

/**
 * Takes back a submission that was recorded by mistake: the dispute awaits a response again. Only until its due date, because nothing can be
 * submitted afterwards. @throws ServiceError RESOURCE_CONFLICT.
 */
export function reopenDispute(deps: Dependencies, actor: Actor, disputeId: string): Promise<Dispute> {
  return withLockedDispute(deps, actor, disputeId, async (work, locked) => {
    checkReopenable(locked);
    return toDispute(await applyOperation(deps, work, actor, locked, 'reopen', { set: { submitted_at: null, submitted_pack_id: null } }));
  });
}

/** Checks that a submission can be taken back. @throws ServiceError RESOURCE_CONFLICT. */
export function checkReopenable({ row, payment }: { readonly row: DisputeRow; readonly payment: DisputedPayment }): void {
  nextStatus(row, 'reopen');
  if (row.due_date >= dateIn(payment.timeZone, payment.now)) return;
  const details = { status: row.status, reason: 'overdue', dueDate: row.due_date };
  throw new ServiceError('RESOURCE_CONFLICT', 'The due date of this dispute has passed. Record the decision instead.', { details });
}

/** Changes the notes and facts of a dispute. @throws ServiceError VALIDATION_ERROR, INVALID_DATE. */
export function changeDispute(deps: Dependencies, actor: Actor, disputeId: string, change: DisputeChange): Promise<Dispute> {
  return withLockedDispute(deps, actor, disputeId, async (work, { row, payment }) => {
    const code = change.reasonCode === undefined ? row.reason_code : reasonCodeOf(row.scheme, change.reasonCode);
    const nameOfCode = code === row.reason_code || code === null ? undefined : findReason(row.scheme, code)?.name;
    const next = await saveDispute(work, payment, {
      ...row,
      notes: change.notes === undefined ? row.notes : change.notes,
      reason_code: code,
      reason: change.reason ?? nameOfCode ?? row.reason,
      due_date: change.dueDate === undefined || change.dueDate === row.due_date ? row.due_date : dueDateOf(payment, change.dueDate),
      processor_case: change.processorCase === undefined ? row.processor_case : change.processorCase,
      updated_at: isoTime(payment.now),
    });
    auditDispute(deps, work, actor, 'updated', row, next);
    work.afterCommit(() => deps.changed(actor.tenantId, 'disputes', row.merchant_id));
    return toDispute(next);
  });
}

async function checkPack(deps: Dependencies, actor: Actor, disputeId: string, packId: string): Promise<void> {
  if (await deps.database.read(actor.tenantId).one(DISPUTE_PACKS, { id: packId, dispute_id: disputeId })) return;
  throw new ServiceError('NOT_FOUND', `There is no evidence pack ${packId.slice(0, 60)} of this dispute.`, { details: { packId } });
}
