import { Type } from 'typebox';
import type { ListedMethod } from '#core/operation/customer-transfer';
import { ExpiringCard, PaymentMethod } from '#core/sales/customers';
import { Transaction } from '#core/sales/payments';
import { type Column, Paginated, route, Success, sendPages } from '#server/http';
import {
  filterFrom,
  LIST_ERRORS,
  MerchantIn,
  MethodFields,
  PageQuery,
  Params,
  pageFrom,
  requiredMethod,
  TransactionFilters,
} from '#server/schemas';
import { CUSTOMER_MISSING, customerRoutes, METHOD_ERRORS } from './routes.ts';

const shared = { surface: 'admin', tag: 'Customers', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'customers:read' } as const;
const write = { ...shared, permission: 'customers:write' } as const;
const EXPIRING_DAYS = 60;

const { customerId: _, ...filters } = TransactionFilters;

const transactions = route({
  ...read,
  permission: 'transactions:read',
  path: '/customers/:id/transactions',
  id: 'admin.listCustomerTransactions',
  summary: 'Transactions of a customer, newest first',
  description: 'The same filters and order as the list of transactions.',
  params: Params('id'),
  query: Type.Object({ ...PageQuery, ...filters }),
  response: Paginated(Transaction),
  errors: [...CUSTOMER_MISSING, ...LIST_ERRORS],
  run: async ({ core, actor, params, query }) => {
    await core.customers.get(actor, params.id);
    return core.payments.page(actor, { ...filterFrom(query), customerId: params.id }, pageFrom(query));
  },
});

const addMethod = route({
  ...write,
  method: 'POST',
  path: '/customers/:id/payment-methods',
  id: 'admin.addPaymentMethod',
  summary: 'Store a payment method of a customer',
  description:
    'If a method with the same number is already stored, it is renewed: expiry, token and consent are replaced, and its ID stays the same. A past due subscription that uses it is retried immediately.',
  created: true,
  params: Params('id'),
  body: Type.Object(MethodFields),
  response: Success(PaymentMethod),
  errors: METHOD_ERRORS,
  run: ({ core, actor, params, body }) => core.customers.addMethod(actor, params.id, requiredMethod(body, 'card')),
});

const setDefault = route({
  ...write,
  method: 'PUT',
  path: '/customers/:id/payment-methods/:pmId/set-default',
  id: 'admin.setDefaultPaymentMethod',
  summary: 'Set the default payment method',
  description:
    'Sales without `paymentMethodId`, and subscriptions without their own method, charge it from now on. Refused if no gateway takes the payments of such a subscription by it.',
  params: Params('id', 'pmId'),
  response: Success(PaymentMethod),
  errors: [...CUSTOMER_MISSING, 'NOT_FOUND', 'VALIDATION_ERROR'],
  run: async ({ core, actor, params }) => {
    await core.recurring.checkDefaultMethod(actor, params.id, params.pmId);
    return core.customers.setDefault(actor, params.id, params.pmId);
  },
});

const expiring = route({
  ...read,
  path: '/customers/expiring-cards',
  id: 'admin.listExpiringCards',
  summary: 'Stored cards that have expired or expire soon, the earliest first',
  description: 'Use it to ask customers for a new card before a subscription fails.',
  query: Type.Object({
    ...PageQuery,
    days: Type.Optional(
      Type.String({ pattern: '^\\d{1,4}$', description: `a number of days from today, from 0 to 9999; default ${EXPIRING_DAYS}` }),
    ),
    merchantId: MerchantIn,
  }),
  response: Paginated(ExpiringCard),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) =>
    core.customers.expiring(actor, { days: Number(query.days ?? EXPIRING_DAYS), merchantId: query.merchantId }, pageFrom(query)),
});

const LISTED: readonly Column<ListedMethod>[] = [
  ['customerId', ({ customerId }) => customerId, 'plain'],
  ['merchantId', ({ merchantId }) => merchantId, 'plain'],
  ['firstName', ({ firstName }) => firstName],
  ['lastName', ({ lastName }) => lastName],
  ['company', ({ company }) => company],
  ['email', ({ email }) => email],
  ['phone', ({ phone }) => phone],
  ['externalIds', ({ externalIds }) => externalIds],
  ['paymentMethodId', ({ paymentMethodId }) => paymentMethodId, 'plain'],
  ['type', ({ type }) => type, 'plain'],
  ['brand', ({ brand }) => brand, 'plain'],
  ['last4', ({ last4 }) => last4, 'plain'],
  ['expires', ({ expires }) => expires, 'plain'],
  ['isDefault', ({ isDefault }) => (isDefault ? 'yes' : 'no'), 'plain'],
  ['token', ({ token }) => token, 'plain'],
];

const exportList = route({
  ...read,
  path: '/customers/export',
  exports: 'customers',
  id: 'admin.exportCustomers',
  summary: 'Customers as CSV, without numbers',
  description:
    'One row for each payment method, with its token and last four digits, and one for each customer without any. `/customers/exports` has the numbers, for owners.',
  query: Type.Object({ merchantId: MerchantIn }),
  contentType: 'text/csv',
  response: Type.String({ description: 'the file' }),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query, reply }) => sendPages(reply, 'customers.csv', LISTED, core.customerTransfer.listed(actor, query.merchantId)),
});

export const adminCustomers = [
  ...customerRoutes({
    ...shared,
    listPath: '/customers',
    customerPath: '/customers',
    methodsPath: '/customers/:id/payment-methods',
    methodPath: '/customers/:id/payment-methods',
  }),
  expiring,
  exportList,
  transactions,
  addMethod,
  setDefault,
];
