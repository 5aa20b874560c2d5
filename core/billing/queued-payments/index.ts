import { lit, type PageRequest, type Work } from '#core/database';
import type { Actor } from '#core/kernel';
import { type ChangeEvents, type CommittedEvents, countObstacles } from '#core/processing/domain-events';
import { getWithActions } from './actions.ts';
import { cancel, customerDeleted, gatewayReturned, paymentMethodReplaced, release, replaceByLink } from './change.ts';
import { createQueuedPayment, type NewQueuedPayment } from './create.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { countWaiting, get, methodsOfWaiting, page, type QueuedPaymentFilter } from './read.ts';
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
    create: (actor: Actor, input: NewQueuedPayment) => createQueuedPayment(deps, actor, input),
    page: (actor: Actor, filter: QueuedPaymentFilter, request: PageRequest) => page(deps, actor, filter, request),
    get: (actor: Caller, id: string) => get(deps, actor, id),
    /** Same as `get()`, with what can be done with the payment now. */
    getWithActions: (actor: Actor, id: string) => getWithActions(deps, actor, id),
    release: (actor: Actor, id: string) => release(deps, actor, id),
    cancel: (actor: Actor, id: string) => cancel(deps, actor, id),
    replaceByLink: (actor: Actor, id: string) => replaceByLink(deps, actor, id),
    methodsOfWaiting,
    countWaiting: (tenantId: string, merchantId: string) => countWaiting(deps, tenantId, merchantId),
    gatewayReturned: (tenantId: string, merchantId: string) => gatewayReturned(deps, tenantId, merchantId),
    paymentMethodReplaced: (work: Work, event: ChangeEvents['payment-method.replaced']) => paymentMethodReplaced(deps, work, event),
    customerDeleted: (work: Work, event: ChangeEvents['customer.deleted']) => customerDeleted(deps, work, event),
    /** Records the outcome of an unconfirmed payment as soon as it is known. */
    async paymentConfirmed({ tenantId, transactionId }: CommittedEvents['payment.confirmed']): Promise<void> {
      const row = await deps.database.read(tenantId).one(QUEUED_PAYMENTS, { transaction_id: transactionId });
      if (row?.status === 'sending') await conclude(deps, row);
    },
  };
}
