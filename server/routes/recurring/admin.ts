import { Type } from 'typebox';
import {
  PaymentDates,
  PERIOD_STATUSES,
  RetriesRun,
  SUBSCRIPTION_STATUSES,
  Subscription,
  SubscriptionPayment,
  Summary,
  Upcoming,
} from '#core/billing/recurring';
import { UpdateLink } from '#core/sales/customers';
import { Paginated, route, Success } from '#server/http';
import {
  CARD_ERRORS,
  CustomerIdIn,
  DateQuery,
  Deleted,
  datedPageFrom,
  frequencyFrom,
  MerchantIn,
  methodFrom,
  NewSubscriptionFields,
  oneOf,
  PageQuery,
  Params,
  PreviewFields,
  ReasonIn,
  SubscriptionChangeFields,
  sortBy,
  Text,
  UPDATE_LINK_ERRORS,
  UpdateLinkFields,
  withActions,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

const shared = { surface: 'admin', tag: 'Recurring', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'recurring:read' } as const;
const write = { ...shared, method: 'POST', permission: 'recurring:write' } as const;
const ACCESS = { pause: write, resume: write, skip: write, cancel: write, update: write, retry: write };
const MISSING = ['SUBSCRIPTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CLOSED = [...MISSING, 'ALREADY_CANCELLED', 'SUBSCRIPTION_INACTIVE'] as const;
const BAD = [
  ...CARD_ERRORS,
  'INVALID_CVV',
  'INVALID_AMOUNT',
  'INVALID_DATE',
  'REQUIRED_FIELD_MISSING',
  'NOT_FOUND',
  'RESOURCE_CONFLICT',
] as const;
const DATES = 6;

const create = route({
  ...write,
  path: '/recurring',
  id: 'admin.createSubscription',
  summary: 'Create a subscription',
  rate: 'create-transaction',
  description:
    'A subscription that starts today is charged before the response; a decline makes it past_due and is not an error. It expires after the last payment, or when endDate is over. `period` is another name of `frequency`.',
  created: true,
  idempotent: true,
  body: Type.Object(NewSubscriptionFields),
  response: Success(Subscription),
  errors: [...BAD, 'INVALID_CURRENCY', 'CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, body }) => {
    const { period: _period, card, bankAccount, token, consentText, ...rest } = body;
    const method = methodFrom({ card, bankAccount, token, consentText });
    return core.recurring.create(actor, { ...rest, method, frequency: frequencyFrom(body, 'frequency') });
  },
});

const list = route({
  ...read,
  path: '/recurring',
  id: 'admin.listSubscriptions',
  summary: 'Subscriptions, by default newest first',
  description: 'Canceled and expired subscriptions are included.',
  query: Type.Object({
    ...PageQuery,
    sort: sortBy('-createdAt', 'createdAt', 'nextPaymentDate'),
    ...DateQuery,
    status: oneOf(...SUBSCRIPTION_STATUSES),
    customerId: Type.Optional(CustomerIdIn),
    planId: Type.Optional(Text(100, 'ID of the plan in the shop')),
    merchantId: MerchantIn,
    q: Type.Optional(Text(200, "beginnings of words of the customer's name, company, email address or phone number")),
  }),
  response: Paginated(Subscription),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, query }) => {
    return core.recurring.page(actor, query, await datedPageFrom(core, actor, query));
  },
});

const summary = route({
  ...read,
  path: '/recurring/summary',
  id: 'admin.subscriptionSummary',
  summary: 'Number of subscriptions by status, and expected payments of 30 days',
  description: 'The expected payments assume that every payment succeeds.',
  query: Type.Object({ merchantId: MerchantIn }),
  response: Success(Summary),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.recurring.summary(actor, query.merchantId),
});

const preview = route({
  ...read,
  method: 'POST',
  path: '/recurring/preview',
  id: 'admin.previewSubscription',
  idempotent: false,
  summary: "Preview of a subscription's dates",
  description: 'Computed by the same rule as the charges: month ends are kept.',
  body: Type.Object(PreviewFields),
  response: Success(PaymentDates),
  errors: ['INVALID_DATE', 'REQUIRED_FIELD_MISSING', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, body }) => {
    const { startDate, endDate, totalPayments, count, merchantId } = body;
    const frequency = frequencyFrom(body, 'frequency');
    return core.recurring.preview(actor, { frequency, startDate, endDate, totalPayments }, count ?? DATES, merchantId);
  },
  show: (dates) => ({ dates }),
});

const processRetries = route({
  ...write,
  path: '/recurring/process-auto-retry',
  id: 'admin.processSubscriptionRetries',
  summary: 'Retry all failed payments that are due',
  description: 'The scheduler does the same every minute. Each payment is retried at most once, also if several requests run in parallel.',
  response: Success(RetriesRun),
  run: ({ core, actor }) => core.recurring.processRetries(actor),
});

const get = route({
  ...read,
  path: '/recurring/:id',
  id: 'admin.getSubscription',
  summary: 'One subscription',
  description: 'Returns the subscription with its next payment and retry, and with what the caller can do with it.',
  params: Params('id'),
  response: Success(withActions('SubscriptionDetail', Subscription, ACCESS)),
  errors: MISSING,
  run: (call) => forCaller(call, ACCESS, call.core.recurring.getWithActions(call.actor, call.params.id)),
});

const update = route({
  ...write,
  method: 'PUT',
  path: '/recurring/:id',
  id: 'admin.updateSubscription',
  summary: 'Change a subscription',
  description:
    'Missing fields stay unchanged. Another frequency counts from the date of the next payment. Another card is charged immediately after a failed payment.',
  params: Params('id'),
  body: Type.Object(SubscriptionChangeFields),
  response: Success(Subscription),
  errors: [...CLOSED, ...BAD],
  run: ({ core, actor, params, body }) => {
    const { frequency: _frequency, period: _period, card, bankAccount, token, consentText, ...rest } = body;
    const method = methodFrom({ card: card ?? undefined, bankAccount, token, consentText });
    const frequency = body.frequency ?? body.period;
    const changed = frequency === undefined ? {} : { frequency: frequencyFrom(body, 'frequency') };
    return core.recurring.update(actor, params.id, { ...rest, ...changed, method });
  },
});

const remove = route({
  ...write,
  method: 'DELETE',
  path: '/recurring/:id',
  id: 'admin.deleteSubscription',
  summary: 'Cancel a subscription and remove it from the lists',
  description: 'Its payments stay.',
  params: Params('id'),
  response: Success(Deleted),
  errors: MISSING,
  run: async ({ core, actor, params }) => {
    await core.recurring.remove(actor, params.id);
    return params.id;
  },
  show: (id) => ({ id, deleted: true }),
});

/** Common part of the operations on one subscription. */
const act = { ...write, params: Params('id'), response: Success(Subscription) } as const;

const pause = route({
  ...act,
  path: '/recurring/:id/pause',
  id: 'admin.pauseSubscription',
  summary: 'Pause a subscription',
  description: 'Nothing is charged until it is resumed.',
  errors: [...CLOSED, 'ALREADY_PAUSED'],
  run: ({ core, actor, params }) => core.recurring.pause(actor, params.id),
});

const resume = route({
  ...act,
  path: '/recurring/:id/resume',
  id: 'admin.resumeSubscription',
  summary: 'Resume a subscription with the next date that is not in the past',
  description: 'Dates that passed during the pause are not charged.',
  errors: CLOSED,
  run: ({ core, actor, params }) => core.recurring.resume(actor, params.id),
});

const skipNext = route({
  ...act,
  path: '/recurring/:id/skip-next',
  id: 'admin.skipNextPayment',
  summary: 'Skip the next payment',
  description: 'The next payment date moves by one period. Nothing is charged for the skipped one.',
  errors: [...CLOSED, 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.recurring.skipNext(actor, params.id),
});

const cancel = route({
  ...act,
  path: '/recurring/:id/cancel',
  id: 'admin.cancelSubscription',
  summary: 'Cancel a subscription',
  description: 'Nothing is charged from now on. A canceled subscription cannot be resumed.',
  body: Type.Object({ reason: Type.Optional(ReasonIn) }),
  errors: CLOSED,
  run: ({ core, actor, params, body }) => core.recurring.cancel(actor, params.id, body.reason),
});

const retry = route({
  ...act,
  path: '/recurring/:id/retry',
  id: 'admin.retrySubscription',
  summary: 'Retry the failed payment of a past due subscription now',
  rate: 'create-transaction',
  description: 'The response shows the result: active again, or past_due with its next attempt.',
  idempotent: true,
  errors: [...CLOSED, 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.recurring.retryNow(actor, params.id),
});

const updateLink = route({
  ...write,
  path: '/recurring/:id/update-link',
  id: 'admin.createSubscriptionUpdateLink',
  summary: 'Create a link by which the customer replaces the card of a subscription',
  description: 'The new card replaces the present one everywhere, and a past due payment is retried as soon as it is saved.',
  created: true,
  params: Params('id'),
  body: Type.Object(UpdateLinkFields),
  response: Success(UpdateLink),
  errors: [...CLOSED, ...UPDATE_LINK_ERRORS],
  run: ({ core, actor, params, body }) => core.recurring.createUpdateLink(actor, params.id, body),
});

const payments = route({
  ...read,
  path: '/recurring/:id/payments',
  id: 'admin.listSubscriptionPayments',
  summary: 'Payments of a subscription and failed attempts, newest first',
  description: 'Each attempt is one entry.',
  params: Params('id'),
  query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf(...PERIOD_STATUSES) }),
  response: Paginated(SubscriptionPayment),
  errors: [...MISSING, 'INVALID_DATE'],
  run: async ({ core, actor, params, query }) => {
    return core.recurring.payments(actor, params.id, query, await datedPageFrom(core, actor, query));
  },
});

const upcoming = route({
  ...read,
  path: '/recurring/:id/upcoming',
  id: 'admin.listUpcomingPayments',
  summary: 'The next dates of a subscription',
  description: 'For a paused subscription, the dates if it were resumed now.',
  params: Params('id'),
  query: Type.Object({
    count: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9]\\d|1[01]\\d|120)$', description: '1 to 120; default 6' })),
  }),
  response: Success(Upcoming),
  errors: MISSING,
  run: ({ core, actor, params, query }) => core.recurring.upcoming(actor, params.id, Number(query.count ?? DATES)),
});

export const adminRecurring = [
  create,
  list,
  summary,
  preview,
  processRetries,
  get,
  update,
  remove,
  pause,
  resume,
  skipNext,
  cancel,
  retry,
  updateLink,
  payments,
  upcoming,
];
