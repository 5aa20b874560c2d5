import { Type } from 'typebox';
import { Subscription } from '#core/billing/recurring';
import { PaymentMethod, UpdateLink } from '#core/sales/customers';
import { route, Success } from '#server/http';
import {
  AgreementChannelIn,
  BankAccountIn,
  CardNumberIn,
  ConsentText,
  ExpiryMonthIn,
  ExpiryYearIn,
  frequencyFrom,
  methodFrom,
  NewSubscriptionFields,
  Params,
  required,
  requiredMethod,
  Text,
  UPDATE_LINK_ERRORS,
  UpdateLinkFields,
} from '#server/schemas';
import { customerRoutes, METHOD_ERRORS } from './routes.ts';

const shared = { surface: 'public', tag: 'Public API', scope: 'merchant' } as const;

const MethodBody = Type.Object({
  cardNumber: Type.Optional(CardNumberIn),
  expiryMonth: Type.Optional(ExpiryMonthIn),
  expiryYear: Type.Optional(ExpiryYearIn),
  token: Type.Optional(Text(60, 'a token returned by tokenize-card or a payment')),
  bankAccount: Type.Optional(BankAccountIn),
  consentText: Type.Optional(ConsentText),
  agreementChannel: AgreementChannelIn,
});

function cardOf(body: Type.Static<typeof MethodBody>) {
  if (body.cardNumber === undefined && (body.token !== undefined || body.bankAccount !== undefined)) return undefined;
  const number = required(body.cardNumber, 'cardNumber');
  return { number, expiryMonth: required(body.expiryMonth, 'expiryMonth'), expiryYear: required(body.expiryYear, 'expiryYear') };
}

const addMethod = route({
  ...shared,
  permission: 'customers:write',
  method: 'POST',
  path: '/customer/:id/payment-method',
  id: 'public.addPaymentMethod',
  summary: 'Store a payment method of a customer',
  description: 'Takes a card, a `bankAccount` or a `token`. The first method of a customer is charged by default.',
  created: true,
  params: Params('id'),
  body: MethodBody,
  response: Success(PaymentMethod),
  fields: { 'card.number': 'cardNumber', 'card.expiryMonth': 'expiryMonth', 'card.expiryYear': 'expiryYear', card: 'cardNumber' },
  errors: METHOD_ERRORS,
  run: ({ core, actor, params, body }) => {
    const { token, bankAccount, consentText, agreementChannel = 'internet' } = body;
    const method = { card: cardOf(body), token, bankAccount, consentText, agreementChannel };
    return core.customers.addMethod(actor, params.id, requiredMethod(method, 'card'));
  },
});

const subscribe = route({
  ...shared,
  method: 'POST',
  permission: 'recurring:write',
  path: '/recurring',
  id: 'public.createSubscription',
  approvable: true,
  summary: 'Create a subscription',
  rate: 'create-transaction',
  description: 'Without startDate the first payment is charged before the response. `frequency` is another name of `period`.',
  created: true,
  idempotent: true,
  body: Type.Object(NewSubscriptionFields),
  response: Success(Subscription),
  errors: [...METHOD_ERRORS, 'INVALID_CVV', 'INVALID_AMOUNT', 'INVALID_DATE', 'INVALID_CURRENCY'],
  run: ({ core, actor, body }) => {
    const { period: _period, card, bankAccount, token, consentText, agreementChannel = 'internet', ...rest } = body;
    const method = methodFrom({ card, bankAccount, token, consentText });
    return core.recurring.create(actor, { ...rest, agreementChannel, method, frequency: frequencyFrom(body, 'period') });
  },
});

const updateLink = route({
  ...shared,
  method: 'POST',
  permission: 'recurring:write',
  path: '/recurring/:id/update-link',
  id: 'public.createSubscriptionUpdateLink',
  summary: 'Create a link by which the customer replaces the card of a subscription',
  description: 'The new card replaces the present one everywhere, and a past due payment is retried as soon as it is saved.',
  created: true,
  params: Params('id'),
  body: Type.Object(UpdateLinkFields),
  response: Success(UpdateLink),
  errors: ['SUBSCRIPTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'ALREADY_CANCELLED', 'SUBSCRIPTION_INACTIVE', ...UPDATE_LINK_ERRORS],
  run: ({ core, actor, params, body }) => core.recurring.createUpdateLink(actor, params.id, body),
});

export const publicCustomers = [
  ...customerRoutes({
    ...shared,
    listPath: '/customers',
    customerPath: '/customer',
    methodsPath: '/customer/:id/payment-methods',
    methodPath: '/customer/:id/payment-method',
  }),
  addMethod,
  subscribe,
  updateLink,
];
