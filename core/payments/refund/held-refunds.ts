import type { Work } from '#core/database';
import { type RealTime, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { newAttempt } from '../attempts/attempts.ts';
import type { Needs } from '../needs.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';

/** Whether a refund was answered as pending: then the service sends it until it is decided. */
export function isPromised({ actor_id, refund_id }: AttemptRow): boolean {
  return refund_id !== null && actor_id === serviceActor('').credentialId;
}

/** Writes the next attempt of a refund that stays pending, to be sent at a time; under the transaction's lock. */
export async function writeHeldRefund(
  on: Needs,
  work: Work,
  { row, refund, after }: { readonly row: TransactionRow; readonly refund: RefundRow; readonly after: AttemptRow },
  dueMs: RealTime,
): Promise<RefundRow> {
  const next = newAttempt(on, serviceActor(row.tenant_id), {
    transactionId: row.id,
    refundId: refund.id,
    operation: 'refund',
    via: row,
    amountMinor: refund.amount_minor,
    currency: refund.currency,
  });
  work.insert(ATTEMPTS, { ...next, state: 'held', ...released(dueMs) });
  const set = { sent_as: null, processor_ref: next.processor_ref };
  await work.update(REFUNDS, { id: refund.id }, set);
  if (row.busy_attempt === after.id) await work.update(TRANSACTIONS, { id: row.id }, { busy_attempt: null });
  return { ...refund, ...set };
}
