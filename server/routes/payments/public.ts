import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { CardToken, TokenDetails } from '#core/records/vault';
import { type PaymentMethodInput, Refund, type TerminalMethodInput, Transaction } from '#core/sales/payments';
import { Outcome, Paginated, route, Success } from '#server/http';
import {
  AccountHolderIn,
  ADJUST_ERRORS,
  AmountIn,
  billingOf,
  CARD_ERRORS,
  CardNumberIn,
  CvvIn,
  checkMetadata,
  DETAILED_SALE,
  DetailedSaleIn,
  EmailIn,
  ExpiryMonthIn,
  ExpiryYearIn,
  filterFrom,
  LIST_ERRORS,
  Lines,
  ListQuery,
  OwnFieldsIn,
  Params,
  PartsIn,
  ProtectedText,
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
  TERMINAL,
  Text,
  TipIn,
  TokenIn,
  TransactionIdIn,
  TransactionWithActions,
  terminalMethod,
  VOID_ERRORS,
} from '#server/schemas';
import { readTransaction } from './transaction-actions.ts';

const tag = 'Public API';
const USER_AGENT_MAX = 300;
const Payment = Outcome(Transaction);
const post = { surface: 'public', method: 'POST', tag, permission: 'transactions:write', scope: 'merchant', idempotent: true } as const;
const get = { surface: 'public', method: 'GET', tag, permission: 'transactions:read', scope: 'merchant' } as const;

const TransactionBody = Type.Object({
  ...DETAILED_SALE.fields,
  SuggestedMode: Type.Optional(literals(['Card', 'ACH', 'Terminal'], 'Card (default), ACH or Terminal')),
  ...TERMINAL.fields,
  CardNumber: Type.Optional(CardNumberIn),
  ExpiryMonth: Type.Optional(ExpiryMonthIn),
  ExpiryYear: Type.Optional(ExpiryYearIn),
  CVV: Type.Optional(CvvIn),
  AccountNumber: Type.Optional(ProtectedText(20, 'the account number, 4 to 17 digits')),
  RoutingNumber: Type.Optional(Text(20, 'nine digits with a correct check digit')),
  AccountType: Type.Optional(Text(20, 'checking or savings')),
  AccountHolderType: AccountHolderIn,
  BillingCustomerName: Type.Optional(Text(200, 'Name of the payer')),
  BillingEmail: Type.Optional(EmailIn('Email address of the payer, for the receipt')),
  BillingAddress: Type.Optional(Lines(200, 'Street of the billing address, for the address check')),
  BillingCity: Type.Optional(Text(100, 'City of the billing address')),
  BillingState: Type.Optional(Text(50, 'State of the billing address')),
  BillingPostalCode: Type.Optional(Text(20, 'ZIP code of the billing address, for the address check')),
});

const FIELDS = {
  ...DETAILED_SALE.names,
  ...TERMINAL.names,
  card: 'CardNumber',
  cvv: 'CVV',
  'card.number': 'CardNumber',
  'card.expiryMonth': 'ExpiryMonth',
  'card.expiryYear': 'ExpiryYear',
  'card.cvv': 'CVV',
  'bankAccount.accountNumber': 'AccountNumber',
  'bankAccount.routingNumber': 'RoutingNumber',
  'bankAccount.accountType': 'AccountType',
  'bankAccount.accountHolderName': 'BillingCustomerName',
  bankAccount: 'AccountNumber',
};

/** Returns the payment method of the request; undefined if the customer pays with the stored one. */
function methodOf(body: Type.Static<typeof TransactionBody>): PaymentMethodInput | TerminalMethodInput | undefined {
  if (body.SuggestedMode === 'Terminal') {
    refuseSecondMethod({ card: body.CardNumber, bankAccount: body.AccountNumber }, null);
    return terminalMethod(required(body.TerminalId, 'TerminalId'), TERMINAL.from(body));
  }
  refuseTerminalFields(TERMINAL.from(body), '`SuggestedMode` Terminal');
  const names = [body.SuggestedMode, body.CardNumber, body.ExpiryMonth, body.ExpiryYear, body.AccountNumber, body.RoutingNumber];
  if (body.CustomerId !== undefined && names.every((each) => each === undefined)) return undefined;
  if (body.SuggestedMode === 'ACH') {
    return {
      kind: 'ach',
      accountNumber: required(body.AccountNumber, 'AccountNumber'),
      routingNumber: required(body.RoutingNumber, 'RoutingNumber'),
      accountType: required(body.AccountType, 'AccountType'),
      accountHolderName: required(body.BillingCustomerName, 'BillingCustomerName'),
      accountHolderType: body.AccountHolderType,
    };
  }
  return {
    kind: 'card',
    number: required(body.CardNumber, 'CardNumber'),
    expiryMonth: required(body.ExpiryMonth, 'ExpiryMonth'),
    expiryYear: required(body.ExpiryYear, 'ExpiryYear'),
    cvv: body.CVV,
  };
}

const create = route({
  ...post,
  path: '/transaction',
  id: 'public.createTransaction',
  takesDrawer: true,
  summary: 'Sale by card or ACH',
  description:
    'Charges a card or bank account, the stored payment method of `CustomerId`, or a card that the customer presents to the card reader of `TerminalId`: the response is then 202 while the payment runs on the reader. A decline is HTTP 200 with `success` false and the reason in `data`. Send an `Idempotency-Key`, and repeat the same request after a lost response.',
  rate: 'create-transaction',
  body: TransactionBody,
  response: Payment,
  fields: FIELDS,
  errors: SALE_ERRORS,
  run: ({ core, actor, body }) => {
    const method = methodOf(body);
    return core.payments.createPayment(actor, {
      ...saleFrom(DETAILED_SALE.from(body)),
      type: 'sale',
      method,
      cvv: method === undefined ? body.CVV : undefined,
      billing: billingOf(body),
      customer: { name: body.BillingCustomerName, email: body.BillingEmail },
      source: method?.kind === 'terminal' ? 'terminal' : 'api',
    });
  },
  acceptedIf: runsOnTerminal,
});

const TransactionIdBody = Type.Object({ transactionId: TransactionIdIn });

const voidRoute = route({
  ...post,
  path: '/void',
  id: 'public.voidTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Void a transaction',
  description: 'Cancels a payment that is not settled, so that no money is taken. Refund a settled payment instead.',
  body: Type.Object({ transactionId: TransactionIdIn, reason: Type.Optional(ReasonIn) }),
  response: Success(Transaction),
  errors: VOID_ERRORS,
  run: ({ core, actor, body }) => core.payments.voidTransaction(actor, body),
});

const tip = route({
  ...post,
  path: '/tip',
  id: 'public.adjustTip',
  takesDrawer: true,
  approvable: true,
  summary: 'Set the tip of an unsettled payment',
  description: 'Adds the tip to the amount, in place of a former tip; 0 takes it off. Possible until the payment is settled or refunded.',
  body: Type.Object({ transactionId: TransactionIdIn, tipAmount: TipIn }),
  response: Success(Transaction),
  errors: ADJUST_ERRORS,
  run: ({ core, actor, body }) => core.payments.adjustTip(actor, body),
});

const refund = route({
  ...post,
  path: '/refund',
  id: 'public.refundTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Refund all or a part of a transaction',
  description:
    'Refunds `amount`, or the whole remaining amount if it is absent. A declined refund is HTTP 200 with `success` false; it is retried if `queuedForRetry` is true.',
  permission: 'refunds:write',
  rate: 'create-refund',
  body: Type.Object({
    transactionId: TransactionIdIn,
    amount: Type.Optional(AmountIn),
    ...PartsIn,
    reason: Type.Optional(ReasonIn),
    metadata: OwnFieldsIn.metadata,
  }),
  response: Outcome(Refund),
  errors: REFUND_ERRORS,
  run: ({ core, actor, body }) => core.payments.refund(actor, { ...body, metadata: checkMetadata(body.metadata), notifyCustomer: true }),
});

const rerun = route({
  ...post,
  path: '/rerun',
  id: 'public.rerunTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Rerun a declined or failed transaction',
  description: RERUN_DESCRIPTION,
  rate: 'create-transaction',
  body: TransactionIdBody,
  response: Payment,
  errors: STATE_ERRORS,
  run: ({ core, actor, body }) => core.payments.rerun(actor, body),
});

const chargeToken = route({
  ...post,
  path: '/token-transaction',
  id: 'public.chargeToken',
  approvable: true,
  summary: 'Charge a stored card token',
  description:
    'Charges a card or bank account by the token of an earlier payment or of tokenize-card. `cvv` is the security code of the card, which is sent to the processor and never stored.',
  rate: 'create-transaction',
  body: Type.Object({
    token: TokenIn,
    cvv: Type.Optional(CvvIn),
    ...DetailedSaleIn,
    merchantId: Type.Optional(
      Text(60, 'merchant that charges, for an API key of the whole account; by default that of the token, else the first one'),
    ),
  }),
  response: Payment,
  errors: SALE_ERRORS,
  run: ({ core, actor, body }) =>
    core.payments.createPayment(actor, {
      ...saleFrom(body),
      type: 'sale',
      method: { kind: 'token', token: body.token },
      cvv: body.cvv,
      source: 'api',
    }),
});

const getTransaction = route({
  ...get,
  path: '/transaction/:id',
  id: 'public.getTransaction',
  summary: 'One transaction with its history',
  description: 'Returns the transaction with everything that happened to it, oldest first.',
  params: Params('id'),
  response: Success(TransactionWithActions),
  errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: (call) => readTransaction(call, call.params.id),
});

const list = (path: string, id: string, summary: string, description: string) =>
  route({
    ...get,
    path,
    id,
    summary,
    description,
    rate: 'list-transactions',
    query: ListQuery,
    response: Paginated(Transaction),
    errors: LIST_ERRORS,
    run: ({ core, actor, query }) => core.payments.page(actor, filterFrom(query), pageFrom(query)),
  });

const tokenize = route({
  surface: 'public',
  scope: 'merchant',
  method: 'POST',
  tag,
  permission: 'transactions:write',
  clientToken: true,
  isForPayers: true,
  path: '/tokenize-card',
  id: 'public.tokenizeCard',
  idempotent: false,
  summary: 'Store a card and get its token',
  description: 'Takes an API key, or a client token in x-client-token with X-Tenant-ID.',
  body: Type.Object({
    cardNumber: CardNumberIn,
    expiryMonth: ExpiryMonthIn,
    expiryYear: ExpiryYearIn,
    deviceId: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{22}$',
        description: 'a random ID of the browser, which the hosted fields send; used with a client token only',
      }),
    ),
  }),
  response: Success(CardToken),
  fields: { 'card.number': 'cardNumber', 'card.expiryMonth': 'expiryMonth', 'card.expiryYear': 'expiryYear' },
  errors: [...CARD_ERRORS, 'TOKEN_EXPIRED', 'TOKEN_INVALID'],
  run: async ({ core, actor, body, request }) => {
    const { cardNumber: number, expiryMonth, expiryYear, deviceId } = body;
    const card = await core.vault.tokenizeCard(actor, { number, expiryMonth, expiryYear });
    // With an API key, the request comes from the shop's server.
    if (request.headers['x-client-token'] !== undefined) {
      const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_MAX);
      await core.payments.keepTokenContext(actor.tenantId, card.token, { ipAddress: actor.ip ?? undefined, userAgent, deviceId });
    }
    return card;
  },
});

const describeToken = route({
  surface: 'public',
  scope: 'merchant',
  method: 'POST',
  tag,
  permission: 'transactions:read',
  path: '/decrypt-token',
  id: 'public.describeToken',
  idempotent: false,
  summary: 'Masked details of a token',
  description: 'First six and last four digits; the number itself never leaves the vault.',
  body: Type.Object({ token: TokenIn }),
  response: Success(TokenDetails),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, body }) => core.vault.describe(actor, body.token),
});

export const publicPayments = [
  create,
  voidRoute,
  tip,
  refund,
  rerun,
  chargeToken,
  getTransaction,
  list(
    '/transaction-list',
    'public.listTransactions',
    'Transactions, newest first',
    'Filters can be combined. Amounts, dates and IDs are matched exactly.',
  ),
  list(
    '/merchant-transactions',
    'public.listMerchantTransactions',
    'Transactions of the merchant, newest first',
    'The same list under another path.',
  ),
  tokenize,
  describeToken,
];
