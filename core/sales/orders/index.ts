import { type PageRequest, queriesOn, TENANT, type Work } from '#core/database';
import type { Actor } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { cancelOrder, checkReloads, parkOrder, resumeOrder } from './change.ts';
import { createOrder, type NewOrder } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { getOrder, getWithActions, type OrderFilter, page } from './read.ts';
import { proposeRefund } from './refund-proposal.ts';
import { ORDER_NUMBERS, ORDER_PAYMENTS, ORDERS } from './schema.ts';
import { paymentDecided, paymentReturned, paymentReturning, paymentStarted } from './shares.ts';
import { refundToStoreCredit, type StoreCreditRefundInput } from './store-credit-refund.ts';

export type { OrderResult } from './dependencies.ts';
export { READABLE_ORDERS } from './read-model.ts';
export { CreatedOrder, Order, OrderDetail, RefundProposal, StoreCreditRefund } from './records.ts';
export { ORDER_STATUSES } from './schema.ts';

export const TABLES = [ORDERS, ORDER_PAYMENTS, ORDER_NUMBERS];
const queries = queriesOn(ORDERS);

export type Orders = ReturnType<typeof createOrders>;

/** Sales that several payments pay: card and bank payments and tenders claim their shares through domain events. */
export function createOrders(deps: Dependencies) {
  return {
    create: (actor: Actor, input: NewOrder) => createOrder(deps, actor, input),
    park: (actor: Actor, orderId: string, input: { readonly name?: string }) => parkOrder(deps, actor, orderId, input),
    resume: (actor: Actor, orderId: string) => resumeOrder(deps, actor, orderId),
    cancel: (actor: Actor, orderId: string, input: { readonly reason?: string }) => cancelOrder(deps, actor, orderId, input),
    page: (actor: Actor, filter: OrderFilter, request: PageRequest) => page(deps, actor, filter, request),
    get: (actor: Actor, orderId: string) => getOrder(deps, actor, orderId),
    getWithActions: (actor: Actor, orderId: string) => getWithActions(deps, actor, orderId),
    proposeRefund: (actor: Actor, orderId: string, input: { readonly amount?: string }) => proposeRefund(deps, actor, orderId, input),
    refundToStoreCredit: (actor: Actor, input: StoreCreditRefundInput) => refundToStoreCredit(deps, actor, input),
    /** Removes the name of a deleted customer. @throws ServiceError RESOURCE_CONFLICT while an order reloads its store credit. */
    customerDeleted: async (work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> => {
      await checkReloads(deps, work, customerId);
      await work.execute(
        queries.updateTable('orders').set({ customer_name: null }).where('tenant_id', '=', TENANT).where('customer_id', '=', customerId),
      );
    },
    paymentStarted: (work: Work, event: ChangeEvents['order-payment.started']) => paymentStarted(deps, work, event),
    paymentDecided: (work: Work, event: ChangeEvents['order-payment.decided']) => paymentDecided(deps, work, event),
    paymentReturning: (work: Work, event: ChangeEvents['order-payment.returning']) => paymentReturning(deps, work, event),
    paymentReturned: (work: Work, event: ChangeEvents['order-payment.returned']) => paymentReturned(deps, work, event),
  };
}
