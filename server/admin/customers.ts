import { Type } from 'typebox';
import {
  CARD_ERRORS,
  CustomerFields,
  CustomerOut,
  checkMetadata,
  Deleted,
  ExpiringCardOut,
  filterFrom,
  LIST_ERRORS,
  ListQuery,
  MethodFields,
  PageQuery,
  Paginated,
  Params,
  PaymentMethodOut,
  pageFrom,
  paginated,
  requiredMethod,
  Success,
  Text,
  TransactionOut,
  transactionRecord,
} from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const shared = { surface: 'admin', tag: 'Customers' } as const;
const read = { ...shared, method: 'GET', permission: 'customers:read' } as const;
const write = { ...shared, permission: 'customers:write' } as const;
const MISSING = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const BAD = ['INVALID_EMAIL', 'INVALID_PHONE', 'REQUIRED_FIELD_MISSING'] as const;
const EXPIRING_DAYS = 60;

const create = route({
  ...write,
  method: 'POST',
  path: '/customers',
  id: 'admin.createCustomer',
  summary: 'Make a customer',
  description: 'A name, a company or an e-mail address is needed; an address may be that of several customers.',
  created: true,
  body: Type.Object({ ...CustomerFields, merchantId: Type.Optional(Text(60)) }),
  answer: Success(CustomerOut),
  errors: [...BAD, 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, body }) => core.customers.create(actor, { ...body, metadata: checkMetadata(body.metadata ?? undefined) }),
  show: success,
});

const list = route({
  ...read,
  path: '/customers',
  id: 'admin.listCustomers',
  summary: 'Customers, newest first',
  query: Type.Object({
    ...PageQuery,
    q: Type.Optional(Text(200, 'beginnings of a name, company, e-mail address or phone number, or last four digits; all must match')),
    merchantId: Type.Optional(Text(60)),
  }),
  answer: Paginated(CustomerOut),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.customers.page(actor, { q: query.q, merchantId: query.merchantId }, pageFrom(query)),
  show: (page) => paginated(page, (customer) => customer),
});

const get = route({
  ...read,
  path: '/customers/:id',
  id: 'admin.getCustomer',
  summary: 'One customer',
  params: Params('id'),
  answer: Success(CustomerOut),
  errors: MISSING,
  run: ({ core, actor, params }) => core.customers.get(actor, params.id),
  show: success,
});

const update = route({
  ...write,
  method: 'PUT',
  path: '/customers/:id',
  id: 'admin.updateCustomer',
  summary: 'Change a customer',
  description: 'Fields that are not sent stay as they are; null empties one.',
  params: Params('id'),
  body: Type.Object(CustomerFields),
  answer: Success(CustomerOut),
  errors: [...MISSING, ...BAD],
  run: ({ core, actor, params, body }) => {
    if (body.metadata) checkMetadata(body.metadata);
    return core.customers.update(actor, params.id, body);
  },
  show: success,
});

const remove = route({
  ...write,
  method: 'DELETE',
  path: '/customers/:id',
  id: 'admin.deleteCustomer',
  summary: 'Delete a customer',
  description: 'Cancels the subscriptions and destroys every stored card and account with its key; transactions stay.',
  params: Params('id'),
  answer: Success(Deleted),
  errors: MISSING,
  run: async ({ core, actor, params }) => {
    await core.customers.remove(actor, params.id);
    return params.id;
  },
  show: (id) => success({ id, deleted: true }),
});

const transactions = route({
  ...read,
  permission: 'transactions:read',
  path: '/customers/:id/transactions',
  id: 'admin.listCustomerTransactions',
  summary: 'Transactions of a customer, newest first',
  params: Params('id'),
  query: ListQuery,
  answer: Paginated(TransactionOut),
  errors: [...MISSING, ...LIST_ERRORS],
  run: async ({ core, actor, params, query }) => {
    await core.customers.get(actor, params.id);
    return core.payments.page(actor, { ...filterFrom(query), customerId: params.id }, pageFrom(query));
  },
  show: (page) => paginated(page, transactionRecord),
});

const methods = route({
  ...read,
  path: '/customers/:id/payment-methods',
  id: 'admin.listPaymentMethods',
  summary: 'Cards and accounts of a customer, the default first',
  params: Params('id'),
  query: Type.Object(PageQuery),
  answer: Paginated(PaymentMethodOut),
  errors: MISSING,
  run: ({ core, actor, params, query }) => core.customers.methods(actor, params.id, pageFrom(query)),
  show: (page) => paginated(page, (method) => method),
});

const addMethod = route({
  ...write,
  method: 'POST',
  path: '/customers/:id/payment-methods',
  id: 'admin.addPaymentMethod',
  summary: 'Store a card or account of a customer',
  description:
    'The same number as one on file renews it: expiry, token and consent are the new ones, and its id stays. A past-due subscription that goes by it is tried again at once.',
  created: true,
  params: Params('id'),
  body: Type.Object(MethodFields),
  answer: Success(PaymentMethodOut),
  errors: [...MISSING, ...CARD_ERRORS, 'REQUIRED_FIELD_MISSING', 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.customers.addMethod(actor, params.id, requiredMethod(body, 'card')),
  show: success,
});

const setDefault = route({
  ...write,
  method: 'PUT',
  path: '/customers/:id/payment-methods/:pmId/set-default',
  id: 'admin.setDefaultPaymentMethod',
  summary: 'Make a card or account the default',
  params: Params('id', 'pmId'),
  answer: Success(PaymentMethodOut),
  errors: [...MISSING, 'NOT_FOUND'],
  run: ({ core, actor, params }) => core.customers.setDefault(actor, params.id, params.pmId),
  show: success,
});

const removeMethod = route({
  ...write,
  method: 'DELETE',
  path: '/customers/:id/payment-methods/:pmId',
  id: 'admin.removePaymentMethod',
  summary: 'Remove a card or account; what it was stored as is destroyed',
  description: 'The newest other one becomes the default in its place. Subscriptions that were charged to it go by the default.',
  params: Params('id', 'pmId'),
  answer: Success(Deleted),
  errors: [...MISSING, 'NOT_FOUND'],
  run: async ({ core, actor, params }) => {
    await core.customers.removeMethod(actor, params.id, params.pmId);
    return params.pmId;
  },
  show: (id) => success({ id, deleted: true }),
});

const expiring = route({
  ...read,
  path: '/customers/expiring-cards',
  id: 'admin.listExpiringCards',
  summary: 'Cards on file that have expired or soon will, the earliest first',
  query: Type.Object({
    ...PageQuery,
    days: Type.Optional(Type.String({ pattern: '^\\d{1,4}$', description: `days from today; ${EXPIRING_DAYS} unless given` })),
  }),
  answer: Paginated(ExpiringCardOut),
  run: ({ core, actor, query }) => core.customers.expiring(actor, Number(query.days ?? EXPIRING_DAYS), pageFrom(query)),
  show: (page) => paginated(page, (card) => card),
});

export const adminCustomers = [create, list, expiring, get, update, remove, transactions, methods, addMethod, setDefault, removeMethod];
