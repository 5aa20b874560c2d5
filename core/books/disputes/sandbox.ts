import { type Actor, ServiceError } from '#core/kernel';
import { findReason, schemeOf } from '#shared/dispute-reasons';
import { applyOperation } from './apply.ts';
import type { Dependencies } from './dependencies.ts';
import { toDispute } from './dispute.ts';
import { insertDispute, type NewDispute } from './open.ts';
import type { Dispute } from './records.ts';
import { DISPUTES } from './schema.ts';
import { isActive } from './steps.ts';

/** A chargeback of the sandbox. */
export interface SandboxChargeback {
  readonly transactionId: string;
  readonly amount?: string | number;
  /** Reason code of the card's scheme, or a word such as `not_received`. */
  readonly reason?: string;
  readonly stage?: NewDispute['stage'];
  /** Concludes the active dispute of the payment, or the new one. */
  readonly outcome?: 'won' | 'lost';
}

/**
 * Opens a dispute as a processor would, and concludes it if an outcome is given. With an outcome and an active dispute, it concludes that
 * one. @throws ServiceError RESOURCE_CONFLICT if nothing can be disputed, or one is active and no outcome is given.
 */
export async function raiseChargeback(deps: Dependencies, actor: Actor, input: SandboxChargeback): Promise<Dispute> {
  await deps.payments.disputed.checkScope(actor, input.transactionId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const payment = await deps.payments.disputed.lock(work, input.transactionId);
    const disputes = await work.find(DISPUTES, { transaction_id: input.transactionId }, { orderBy: [['id', 'desc']] });
    const active = disputes.find(({ status }) => isActive(status));
    if (active && input.outcome === undefined)
      throw new ServiceError('RESOURCE_CONFLICT', 'This payment has an active dispute. Send its `outcome`.', {
        details: { reason: 'dispute_active', disputeId: active.id },
      });
    const code = findReason(schemeOf(payment.cardBrand), input.reason ?? '')?.code;
    const { transactionId, amount, stage, reason } = input;
    const reported: NewDispute = { transactionId, amount, stage, ...(code === undefined ? { reason } : { reasonCode: code }) };
    const row = active ?? (await insertDispute(deps, work, actor, payment, reported, 'sandbox'));
    if (input.outcome === undefined) return toDispute(row);
    const operation = input.outcome === 'won' ? 'win' : 'lose';
    const { now } = await deps.payments.disputed.lock(work, input.transactionId);
    return toDispute(await applyOperation(deps, work, actor, { row, payment: { ...payment, now } }, operation));
  });
}
