import { lit } from '#core/database';
import { bind } from '#core/kernel';
import { type CommittedEvents, countObstacles } from '#core/processing/domain-events';
import { getWithActions } from './actions.ts';
import { cancel, customerDeleted, gatewayReturned, paymentMethodReplaced, release, replaceByLink } from './change.ts';
import { createQueuedPayment } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { countWaiting, get, methodsOfWaiting, page } from './read.ts';
import { QUEUED_PAYMENTS } from './schema.ts';
import { conclude, queuedPaymentJob } from './send.ts';

export type { QueuedPaymentResult } from './dependencies.ts';
export { QueuedPayment } from './records.ts';
export { QUEUE_STATUSES } from './schema.ts';

export const TABLES = [QUEUED_PAYMENTS];

export type QueuedPayments = ReturnType<typeof createQueuedPayments>;

/** Payments with saved cards and bank accounts that are charged when the gateway answers (decision record 89). */
export function createQueuedPayments(deps: Dependencies) {
  deps.scheduler.register(queuedPaymentJob(deps));
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(QUEUED_PAYMENTS, 'queued_payments', (payment) => payment('status', 'in', [lit('waiting'), lit('sending')])),
    ],
    ...bind(deps, { create: createQueuedPayment, page, get }),
    ...bind(deps, { getWithActions }),
    ...bind(deps, { release, cancel, replaceByLink }),
    methodsOfWaiting,
    ...bind(deps, { countWaiting, gatewayReturned, paymentMethodReplaced, customerDeleted }),
    /** Records the outcome of an unconfirmed payment as soon as it is known. */
    async paymentConfirmed({ tenantId, transactionId }: CommittedEvents['payment.confirmed']): Promise<void> {
      const row = await deps.database.read(tenantId).one(QUEUED_PAYMENTS, { transaction_id: transactionId });
      if (row?.status === 'sending') await conclude(deps, row);
    },
  };
}
