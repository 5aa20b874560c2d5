import { Type } from 'typebox';
import {
  BankAccountIn,
  CARD_ERRORS,
  CardNumberIn,
  ConsentText,
  CustomerFields,
  CustomerOut,
  checkMetadata,
  Deleted,
  ExpiryIn,
  frequencyFrom,
  methodFrom,
  NewSubscriptionFields,
  PageQuery,
  Paginated,
  Params,
  PaymentMethodOut,
  pageFrom,
  paginated,
  required,
  requiredMethod,
  SubscriptionOut,
  Success,
  subscriptionRecord,
  Text,
} from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const shared = { surface: 'public', tag: 'Public API' } as const;
const read = { ...shared, method: 'GET', permission: 'customers:read' } as const;
const write = { ...shared, permission: 'customers:write' } as const;
const MISSING = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const BAD = ['INVALID_EMAIL', 'INVALID_PHONE', 'REQUIRED_FIELD_MISSING'] as const;

const list = route({
  ...read,
  path: '/customers',
  id: 'public.listCustomers',
  summary: 'Customers, newest first',
  query: Type.Object({ ...PageQuery, q: Type.Optional(Text(200, 'beginnings of words, or last four digits')) }),
  answer: Paginated(CustomerOut),
  run: ({ core, actor, query }) => core.customers.page(actor, { q: query.q }, pageFrom(query)),
  show: (page) => paginated(page, (customer) => customer),
});

const create = route({
  ...write,
  method: 'POST',
  path: '/customer',
  id: 'public.createCustomer',
  summary: 'Make a customer',
  created: true,
  body: Type.Object(CustomerFields),
  answer: Success(CustomerOut),
  errors: BAD,
  run: ({ core, actor, body }) => core.customers.create(actor, { ...body, metadata: checkMetadata(body.metadata ?? undefined) }),
  show: success,
});

const get = route({
  ...read,
  path: '/customer/:id',
  id: 'public.getCustomer',
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
  path: '/customer/:id',
  id: 'public.updateCustomer',
  summary: 'Change a customer',
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
  path: '/customer/:id',
  id: 'public.deleteCustomer',
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

const MethodBody = Type.Object({
  cardNumber: Type.Optional(CardNumberIn),
  expiryMonth: Type.Optional(ExpiryIn),
  expiryYear: Type.Optional(ExpiryIn),
  token: Type.Optional(Text(60, 'a token that tokenize-card or a payment answered with')),
  bankAccount: Type.Optional(BankAccountIn),
  consentText: Type.Optional(ConsentText),
});

function cardOf(body: Type.Static<typeof MethodBody>) {
  if (body.cardNumber === undefined && (body.token !== undefined || body.bankAccount !== undefined)) return undefined;
  const number = required(body.cardNumber, 'cardNumber');
  return { number, expiryMonth: required(body.expiryMonth, 'expiryMonth'), expiryYear: required(body.expiryYear, 'expiryYear') };
}

const addMethod = route({
  ...write,
  method: 'POST',
  path: '/customer/:id/payment-method',
  id: 'public.addPaymentMethod',
  summary: 'Store a card or account of a customer',
  created: true,
  params: Params('id'),
  body: MethodBody,
  answer: Success(PaymentMethodOut),
  fields: { 'card.number': 'cardNumber', 'card.expiryMonth': 'expiryMonth', 'card.expiryYear': 'expiryYear', card: 'cardNumber' },
  errors: [...MISSING, ...CARD_ERRORS, 'REQUIRED_FIELD_MISSING', 'NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => {
    const { token, bankAccount, consentText } = body;
    return core.customers.addMethod(actor, params.id, requiredMethod({ card: cardOf(body), token, bankAccount, consentText }, 'card'));
  },
  show: success,
});

const methods = route({
  ...read,
  path: '/customer/:id/payment-methods',
  id: 'public.listPaymentMethods',
  summary: 'Cards and accounts of a customer, the default first',
  params: Params('id'),
  query: Type.Object(PageQuery),
  answer: Paginated(PaymentMethodOut),
  errors: MISSING,
  run: ({ core, actor, params, query }) => core.customers.methods(actor, params.id, pageFrom(query)),
  show: (page) => paginated(page, (method) => method),
});

const removeMethod = route({
  ...write,
  method: 'DELETE',
  path: '/customer/:id/payment-method/:pmId',
  id: 'public.removePaymentMethod',
  summary: 'Remove a card or account',
  params: Params('id', 'pmId'),
  answer: Success(Deleted),
  errors: [...MISSING, 'NOT_FOUND'],
  run: async ({ core, actor, params }) => {
    await core.customers.removeMethod(actor, params.id, params.pmId);
    return params.pmId;
  },
  show: (id) => success({ id, deleted: true }),
});

const subscribe = route({
  ...shared,
  method: 'POST',
  permission: 'recurring:write',
  path: '/recurring',
  id: 'public.createSubscription',
  summary: 'Bill a customer again and again',
  description: 'Without startDate the first payment is charged before this answers. `frequency` is another name of `period`.',
  created: true,
  idempotent: true,
  body: Type.Object(NewSubscriptionFields),
  answer: Success(SubscriptionOut),
  errors: [
    ...CARD_ERRORS,
    'INVALID_AMOUNT',
    'INVALID_DATE',
    'INVALID_CURRENCY',
    'REQUIRED_FIELD_MISSING',
    'NOT_FOUND',
    'RESOURCE_CONFLICT',
    ...MISSING,
  ],
  run: ({ core, actor, body }) => {
    const { period: _, card, bankAccount, token, consentText, ...rest } = body;
    const method = methodFrom({ card, bankAccount, token, consentText });
    return core.recurring.create(actor, { ...rest, method, frequency: frequencyFrom(body, 'period') });
  },
  show: (subscription) => success(subscriptionRecord(subscription)),
});

export const publicCustomers = [list, create, get, update, remove, addMethod, methods, removeMethod, subscribe];
