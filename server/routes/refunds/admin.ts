import { Type } from 'typebox';
import { Refund, type RefundStatus, RefundWithEntry } from '#core/sales/payments';
import { Paginated, route, Success } from '#server/http';
import { DateQuery, LIST_ERRORS, MerchantIn, oneOf, PageQuery, Params, pageFrom, TransactionIdIn, withActions } from '#server/schemas';
import { forCaller } from '../actions.ts';
import { ACCESS } from './refund-queue.ts';

const STATUSES = ['approved', 'declined', 'pending', 'failed'];

const get = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/refunds/:refundId',
  id: 'admin.getRefund',
  tag: 'Refunds',
  summary: 'One refund',
  description:
    'Returns the refund in its present state, and what the caller can do with it if it was declined: the operations are those of its entry in the refund decline queue, `queueEntryId`.',
  permission: 'refunds:read',
  params: Params('refundId'),
  response: Success(withActions('RefundDetail', RefundWithEntry, ACCESS)),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: (call) => forCaller(call, ACCESS, call.core.payments.refundQueue.ofRefund(call.actor, call.params.refundId)),
});

const list = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/refunds',
  id: 'admin.listRefunds',
  tag: 'Refunds',
  summary: 'Refunds, newest first',
  description: 'Refunds of all transactions that the caller may see.',
  permission: 'refunds:read',
  query: Type.Object({
    ...PageQuery,
    ...DateQuery,
    status: oneOf(...STATUSES),
    transactionId: Type.Optional(TransactionIdIn),
    merchantId: MerchantIn,
  }),
  response: Paginated(Refund),
  errors: LIST_ERRORS,
  run: ({ core, actor, query }) => {
    const { startDate, endDate, transactionId, merchantId } = query;
    const status = query.status as RefundStatus | undefined;
    return core.payments.refundPage(actor, { startDate, endDate, transactionId, merchantId, status }, pageFrom(query));
  },
});

export const adminRefunds = [get, list];
