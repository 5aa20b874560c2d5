import { queriesOn, TENANT, type Work } from '#core/database';
import { bind } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { cancelOrder, checkReloads, parkOrder, resumeOrder } from './change.ts';
import { createOrder } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { leftOpen } from './left-open.ts';
import { getOrder, getWithActions, numbersOf, page } from './read.ts';
import { proposeRefund } from './refund-proposal.ts';
import { ORDER_NUMBERS, ORDER_PAYMENTS, ORDERS } from './schema.ts';
import { paymentDecided, paymentReturned, paymentReturning, paymentStarted } from './shares.ts';
import { refundToStoreCredit } from './store-credit-refund.ts';

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
    ...bind(deps, {
      create: createOrder,
      park: parkOrder,
      resume: resumeOrder,
      cancel: cancelOrder,
      page,
      get: getOrder,
      getWithActions,
      numbersOf,
    }),
    ...bind(deps, { leftOpen, proposeRefund, refundToStoreCredit }),
    /** Removes the name of a deleted customer. @throws ServiceError RESOURCE_CONFLICT while an order reloads its store credit. */
    customerDeleted: async (work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> => {
      await checkReloads(deps, work, customerId);
      await work.execute(
        queries.updateTable('orders').set({ customer_name: null }).where('tenant_id', '=', TENANT).where('customer_id', '=', customerId),
      );
    },
    ...bind(deps, { paymentStarted, paymentDecided, paymentReturning, paymentReturned }),
  };
}
