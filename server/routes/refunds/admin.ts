import { Type } from 'typebox';
import { Refund, type RefundStatus } from '#core/sales/payments';
import { Paginated, route, Success } from '#server/http';
import { DateQuery, LIST_ERRORS, MerchantIn, oneOf, PageQuery, Params, pageFrom, TransactionIdIn } from '#server/schemas';

const STATUSES = ['approved', 'declined', 'pending', 'failed'];

const get = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/refunds/:refundId',
  id: 'admin.getRefund',
  tag: 'Refunds',
  summary: 'One refund',
  description: 'Returns the refund in its present state.',
  permission: 'refunds:read',
  params: Params('refundId'),
  response: Success(Refund),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.payments.getRefund(actor, params.refundId),
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
