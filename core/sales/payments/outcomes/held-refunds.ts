import type { Work } from '#core/database';
import { type RealTime, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { newAttempt } from '../attempts/attempts.ts';
import type { Dependencies } from '../dependencies.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';

/** Returns true if Paydesk has accepted a refund and returned it as pending, so that it must be sent until it is decided. */
export function isAcceptedRefund({ actor_id, refund_id }: AttemptRow): boolean {
  return refund_id !== null && actor_id === serviceActor('').credentialId;
}

/** Writes the next attempt of a refund that stays pending, to be sent at a time; under the transaction's lock. */
export async function writeHeldRefund(
  deps: Dependencies,
  work: Work,
  { row, refund, after: previous }: { readonly row: TransactionRow; readonly refund: RefundRow; readonly after: AttemptRow },
  dueMs: RealTime,
): Promise<RefundRow> {
  const next = newAttempt(deps, serviceActor(row.tenant_id), {
    transactionId: row.id,
    refundId: refund.id,
    operation: 'refund',
    via: row,
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    shiftId: previous.shift_id,
  });
  work.insert(ATTEMPTS, { ...next, state: 'held', ...released(dueMs) });
  const set = { sent_as: null, processor_ref: next.processor_ref };
  await work.update(REFUNDS, { id: refund.id }, set);
  if (row.pending_attempt === previous.id) await work.update(TRANSACTIONS, { id: row.id }, { pending_attempt: null });
  return { ...refund, ...set };
}
