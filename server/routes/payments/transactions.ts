import { Type } from 'typebox';
import { group, literals } from '#core/platform/fields';
import { type PaymentMethodInput, Refund, type TerminalMethodInput, Transaction } from '#core/sales/payments';
import { Outcome, Paginated, route, Success } from '#server/http';
import {
  ADJUST_ERRORS,
  AmountIn,
  BankAccountIn,
  CAPTURE_ERRORS,
  CardIn,
  CREDIT_ERRORS,
  CvvIn,
  checkMetadata,
  DetailedSaleIn,
  EmailIn,
  filterFrom,
  LIST_ERRORS,
  Lines,
  ListQuery,
  METHOD_FIELDS,
  MerchantIn,
  MetadataIn,
  oneOf,
  Params,
  PartsIn,
  pageFrom,
  REFUND_ERRORS,
  RERUN_DESCRIPTION,
  ReasonIn,
  refuseSecondMethod,
  refuseTerminalFields,
  required,
  runsOnTerminal,
  SALE_ERRORS,
  STATE_ERRORS,
  saleFrom,
  TerminalFieldsIn,
  Text,
  TipIn,
  TokenIn,
  TransactionFilters,
  TransactionWithActions,
  terminalMethod,
  VOID_ERRORS,
} from '#server/schemas';
import { sendTransactions } from '../export.ts';
import { CREDIT_CHANGE, PAYMENT_CHANGE, REFUND_CHANGE, readTransaction } from './transaction-actions.ts';

const tag = 'Transactions';
const Payment = Outcome(Transaction);

const CreateBody = Type.Object({
  type: Type.Optional(literals(['sale', 'auth'], 'sale (default) or auth')),
  ...DetailedSaleIn,
  paymentMethod: Type.Optional(literals(['card', 'ach', 'token', 'terminal'], 'card (default), ach, token or terminal')),
  card: Type.Optional(CardIn),
  bankAccount: Type.Optional(BankAccountIn),
  token: Type.Optional(TokenIn),
  cvv: Type.Optional(CvvIn),
  ...TerminalFieldsIn,
  billing: Type.Optional(
    group('Billing address', {
      firstName: Type.Optional(Text(100, 'First name')),
      lastName: Type.Optional(Text(100, 'Last name')),
      address: Type.Optional(Text(200, 'Postal address')),
      city: Type.Optional(Text(100, 'City')),
      state: Type.Optional(Text(50, 'State or province')),
      zip: Type.Optional(Text(20, 'ZIP or postal code')),
      country: Type.Optional(Text(60, 'ISO 3166 code of the country')),
    }),
  ),
  customer: Type.Optional(
    group('Customer as named for this record', { email: Type.Optional(EmailIn()), name: Type.Optional(Text(200, 'Name')) }),
  ),
  paymentMethodId: Type.Optional(Text(60, 'ID of the stored payment method to charge')),
  saveConsent: Type.Optional(
    Lines(1_000, 'consent of the customer: after the approval, the payment method is stored for customerId with it'),
  ),
  source: Type.Optional(literals(['keyed', 'swiped', 'saved'], 'keyed (default), swiped or saved')),
});

type Create = Type.Static<typeof CreateBody>;

/** Returns the payment method of a body without `paymentMethod`, by its other fields. */
function kindOf({ card, bankAccount, token }: Create): 'card' | 'ach' | 'token' {
  if (card === undefined && token !== undefined) return 'token';
  return card === undefined && bankAccount !== undefined ? 'ach' : 'card';
}

/** Returns the payment method of the request; undefined if the customer pays with a stored one. @throws VALIDATION_ERROR for two of them. */
function methodOf(body: Create): PaymentMethodInput | TerminalMethodInput | undefined {
  if (body.paymentMethod === 'terminal') {
    refuseSecondMethod(body, null);
    return terminalMethod(required(body.terminalId, 'terminalId'), body);
  }
  refuseTerminalFields(body);
  const hasMethod = body.card !== undefined || body.bankAccount !== undefined || body.token !== undefined;
  if (body.customerId !== undefined && body.paymentMethodId !== undefined) refuseSecondMethod(body, 'paymentMethodId');
  if (body.customerId !== undefined && (body.paymentMethodId !== undefined || !hasMethod)) return undefined;
  const kind = body.paymentMethod ?? kindOf(body);
  const method = methodOfKind(kind, body);
  refuseSecondMethod(body, METHOD_FIELDS[kind]);
  return method;
}

function methodOfKind(kind: keyof typeof METHOD_FIELDS, { card, bankAccount, token }: Create): PaymentMethodInput {
  if (kind === 'ach') return { kind, ...required(bankAccount, 'bankAccount') };
  return kind === 'token' ? { kind, token: required(token, 'token') } : { kind, ...required(card, 'card') };
}

const create = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'POST',
  path: '/transactions',
  id: 'admin.createTransaction',
  approvable: true,
  takesDrawer: true,
  tag,
  summary: 'Sale or authorization',
  description:
    'Charges a card, a bank account, a stored token, or a card that the customer presents to a card reader (`paymentMethod` `terminal` with `terminalId`): the response is then 202 while the payment runs on the reader, and `GET /transactions/{id}` shows its progress. `cvv` is the security code of a stored card, which is sent to the processor and never stored. A decline is HTTP 200 with success false. After GATEWAY_TIMEOUT an inquiry finds the outcome: read the transaction of details.transactionId, do not charge again.',
  permission: 'transactions:write',
  rate: 'create-transaction',
  idempotent: true,
  body: CreateBody,
  response: Payment,
  errors: SALE_ERRORS,
  run: ({ core, actor, body }) => {
    const method = methodOf(body);
    return core.payments.createPayment(actor, {
      ...saleFrom(body),
      type: body.type ?? 'sale',
      method,
      cvv: body.cvv,
      billing: body.billing,
      customer: body.customer,
      paymentMethodId: body.paymentMethodId,
      saveConsent: body.saveConsent,
      source:
        method?.kind === 'terminal' ? 'terminal' : (body.source ?? (method === undefined || method.kind === 'token' ? 'saved' : 'keyed')),
    });
  },
  acceptedIf: runsOnTerminal,
});

const list = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/transactions',
  id: 'admin.listTransactions',
  tag,
  summary: 'Transactions, newest first',
  description: 'Filters can be combined. Amounts, dates and IDs are matched exactly.',
  permission: 'transactions:read',
  rate: 'list-transactions',
  query: ListQuery,
  response: Paginated(Transaction),
  errors: LIST_ERRORS,
  run: ({ core, actor, query }) => core.payments.page(actor, filterFrom(query), pageFrom(query)),
});

const exportCsv = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/transactions/export',
  exports: 'transactions',
  id: 'admin.exportTransactions',
  tag,
  summary: 'Transactions as CSV',
  description:
    'Every transaction of the filter, streamed; RFC 4180, UTF-8, with a header row. Cells that a spreadsheet would read as a formula begin with an apostrophe.',
  permission: 'transactions:read',
  query: Type.Object({ ...TransactionFilters, format: oneOf('csv') }),
  contentType: 'text/csv',
  response: Type.String(),
  errors: LIST_ERRORS,
  run: async ({ core, actor, query, reply }) => {
    const { format: _, ...filter } = query;
    await sendTransactions({ core, actor, reply }, core.payments.transactionLines(actor, filterFrom(filter)));
  },
});

const get = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/transactions/:id',
  id: 'admin.getTransaction',
  tag,
  summary: 'One transaction with its history',
  description: 'Returns the transaction with everything that happened to it, oldest first.',
  permission: 'transactions:read',
  params: Params('id'),
  response: Success(TransactionWithActions),
  errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: (call) => readTransaction(call, call.params.id),
});

/** Common part of the operations on a transaction. */
const change = {
  ...PAYMENT_CHANGE,
  surface: 'admin',
  tag,
  idempotent: true,
  params: Params('id'),
} as const;

const capture = route({
  ...change,
  path: '/transactions/:id/capture',
  id: 'admin.captureTransaction',
  approvable: true,
  takesDrawer: true,
  summary: 'Capture all or a part of an authorization',
  description:
    'An authorization is captured once. Without `amount` the whole authorized amount is captured; the rest of a smaller capture is released. A capture may state its own tip, surcharge and tax; otherwise it has its share of those of the authorization.',
  body: Type.Object({ amount: Type.Optional(AmountIn), ...PartsIn }),
  response: Success(Transaction),
  errors: CAPTURE_ERRORS,
  run: ({ core, actor, params, body }) => core.payments.capture(actor, { transactionId: params.id, ...body }),
});

const adjust = route({
  ...change,
  path: '/transactions/:id/adjust',
  id: 'admin.adjustAuthorization',
  approvable: true,
  takesDrawer: true,
  summary: 'Raise or lower an open authorization',
  description:
    '`amount` is the new total: a higher one is an incremental authorization, a lower one a partial reversal. A refusal of the issuer leaves the authorization unchanged. If the gateway cannot change amounts, `details.reason` is `gateway_cannot_adjust`.',
  body: Type.Object({ amount: AmountIn, ...PartsIn }),
  response: Success(Transaction),
  errors: ADJUST_ERRORS,
  run: ({ core, actor, params, body }) => core.payments.adjustAuthorization(actor, { transactionId: params.id, ...body }),
});

const tip = route({
  ...change,
  path: '/transactions/:id/tip',
  id: 'admin.adjustTip',
  approvable: true,
  takesDrawer: true,
  summary: 'Set the tip of an open authorization or an unsettled payment',
  description:
    'Adds the tip to the amount, in place of a former tip; 0 takes it off. Possible until the payment is settled or refunded. The ledger reverses the former amount and captures the new one.',
  body: Type.Object({ tipAmount: TipIn }),
  response: Success(Transaction),
  errors: ADJUST_ERRORS,
  run: ({ core, actor, params, body }) => core.payments.adjustTip(actor, { transactionId: params.id, tipAmount: body.tipAmount }),
});

const expiring = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/transactions/expiring',
  id: 'admin.listExpiringAuthorizations',
  tag,
  summary: 'Open authorizations that expire within two days',
  description: 'An authorization that is not captured within seven days is voided. The most urgent is first; at most 100 are returned.',
  permission: 'transactions:read',
  query: Type.Object({ merchantId: MerchantIn }),
  response: Success(Type.Array(Transaction)),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.payments.expiringAuthorizations(actor, query.merchantId),
});

const cancelCapture = route({
  ...change,
  path: '/transactions/:id/cancel-capture',
  id: 'admin.cancelCapture',
  takesDrawer: true,
  approvable: true,
  summary: 'Cancel a capture before settlement',
  description: 'Makes the payment an authorization again. Possible until it is settled or refunded.',
  response: Success(Transaction),
  errors: ['ALREADY_VOIDED', ...STATE_ERRORS],
  run: ({ core, actor, params }) => core.payments.cancelCapture(actor, { transactionId: params.id }),
});

const voidRoute = route({
  ...change,
  path: '/transactions/:id/void',
  id: 'admin.voidTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Void a sale or authorization',
  description: 'Cancels a payment that is not settled, so that no money is taken. Refund a settled payment instead.',
  body: Type.Object({ reason: Type.Optional(ReasonIn) }),
  response: Success(Transaction),
  errors: VOID_ERRORS,
  run: ({ core, actor, params, body }) => core.payments.voidTransaction(actor, { transactionId: params.id, reason: body.reason }),
});

const RefundBody = Type.Object({
  amount: Type.Optional(AmountIn),
  ...PartsIn,
  reason: Type.Optional(ReasonIn),
  metadata: Type.Optional(MetadataIn),
});
const refundBase = { ...change, ...REFUND_CHANGE, rate: 'create-refund', response: Outcome(Refund) } as const;

const refund = route({
  ...refundBase,
  path: '/transactions/:id/refund',
  id: 'admin.refundTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Refund all or a part of a transaction',
  description:
    'Refunds `amount`, or the whole remaining amount if it is absent. Tip, surcharge and tax are returned in proportion, unless the request names parts: then exactly these are returned. A declined refund is HTTP 200 with `success` false; it is retried if `queuedForRetry` is true.',
  body: RefundBody,
  errors: REFUND_ERRORS,
  run: ({ core, actor, params, body }) =>
    core.payments.refund(actor, { transactionId: params.id, ...body, metadata: checkMetadata(body.metadata) }),
});

const refundPartially = route({
  ...refundBase,
  path: '/transactions/:id/refund/partial',
  id: 'admin.refundTransactionPartially',
  takesDrawer: true,
  approvable: true,
  summary: 'Refund a part of a transaction',
  description: 'As the refund operation, but `amount` is required.',
  body: Type.Object({ ...RefundBody.properties, amount: AmountIn }),
  errors: ['REQUIRED_FIELD_MISSING', ...REFUND_ERRORS],
  run: ({ core, actor, params, body }) =>
    core.payments.refund(actor, { transactionId: params.id, ...body, metadata: checkMetadata(body.metadata) }),
});

const credit = route({
  ...change,
  path: '/transactions/:id/credit',
  id: 'admin.creditTransaction',
  ...CREDIT_CHANGE,
  takesDrawer: true,
  approvable: true,
  summary: 'Unlinked credit to the card or account of a transaction',
  description: 'Independent of the amount of the transaction. The response is a new transaction of type credit.',
  body: Type.Object({ amount: AmountIn }),
  response: Payment,
  errors: CREDIT_ERRORS,
  run: ({ core, actor, params, body }) => core.payments.createUnlinkedCredit(actor, { transactionId: params.id, amount: body.amount }),
});

const rerun = route({
  ...change,
  path: '/transactions/:id/rerun',
  id: 'admin.rerunTransaction',
  takesDrawer: true,
  summary: 'Rerun a declined or failed transaction',
  description: RERUN_DESCRIPTION,
  response: Payment,
  rate: 'create-transaction',
  errors: STATE_ERRORS,
  run: ({ core, actor, params }) => core.payments.rerun(actor, { transactionId: params.id }),
});

export const adminTransactions = [
  create,
  list,
  exportCsv,
  expiring,
  get,
  capture,
  adjust,
  tip,
  cancelCapture,
  voidRoute,
  refund,
  refundPartially,
  credit,
  rerun,
];
