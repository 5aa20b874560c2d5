import { Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import { CardToken } from '#core/records/vault';
import { type PaymentMethodInput, Refund, type TerminalMethodInput, Transaction } from '#core/sales/payments';
import { Outcome, route, Success } from '#server/http';
import {
  ADJUST_ERRORS,
  AmountIn,
  billingOf,
  CAPTURE_ERRORS,
  CARD_ERRORS,
  CardNumberIn,
  CREDIT_ERRORS,
  CvvIn,
  checkMetadata,
  EmailIn,
  ExpiryIn,
  Lines,
  linesFromSdk,
  PARTS,
  Params,
  REFUND_ERRORS,
  ReasonIn,
  refuseSecondMethod,
  refuseTerminalFields,
  required,
  runsOnTerminal,
  SALE,
  SALE_ERRORS,
  SdkLineItemsIn,
  STATE_ERRORS,
  saleFrom,
  TERMINAL,
  Text,
  TipIn,
  TransactionIdIn,
  TransactionWithActions,
  terminalMethod,
  VOID_ERRORS,
} from '#server/schemas';
import { expiryOf } from '#shared/expiry';
import { readTransaction } from './transaction-actions.ts';

const tag = 'SDK API';
const post = { surface: 'sdk', method: 'POST', tag, permission: 'transactions:write', scope: 'merchant', idempotent: true } as const;

const FIELDS = {
  ...SALE.names,
  ...TERMINAL.names,
  lineItems: 'LineItems',
  card: 'CardNumber',
  'card.number': 'CardNumber',
  'card.expiryMonth': 'ExpiryDate',
  'card.expiryYear': 'ExpiryDate',
  'card.cvv': 'Cvv',
};

/** Returns the card of the request, or its card reader. @throws REQUIRED_FIELD_MISSING if it has neither. */
function methodOf(
  body: { CardNumber?: string; ExpiryDate?: string; Cvv?: string } & Parameters<typeof TERMINAL.from>[0],
): PaymentMethodInput | TerminalMethodInput {
  const { CardNumber, ExpiryDate, Cvv, TerminalId } = body;
  if (TerminalId === undefined) {
    refuseTerminalFields(TERMINAL.from(body), '`TerminalId`');
    return { kind: 'card', number: required(CardNumber, 'CardNumber'), ...expiryFrom(required(ExpiryDate, 'ExpiryDate')), cvv: Cvv };
  }
  refuseSecondMethod({ card: CardNumber }, null);
  return terminalMethod(TerminalId, TERMINAL.from(body));
}

const CardFields = { CardNumber: CardNumberIn, ExpiryDate: ExpiryIn };

/** Returns the fields of an expiry date. @throws INVALID_EXPIRY. */
function expiryFrom(text: string): { expiryMonth: string; expiryYear: string } {
  const expiry = expiryOf(text);
  if (expiry === null) throw new ServiceError('INVALID_EXPIRY', '`ExpiryDate` must have the format MMYY.', { field: 'ExpiryDate' });
  return { expiryMonth: expiry.month, expiryYear: expiry.year };
}

const create = route({
  ...post,
  path: '/transaction',
  id: 'sdk.createTransaction',
  takesDrawer: true,
  summary: 'Sale, or authorization with TransactionType 0',
  description:
    'Charges a card, or one that the customer presents to the card reader of `TerminalId`: the response is then 202 while the payment runs on the reader. A decline is HTTP 200 with `success` false and the reason in `data`.',
  rate: 'create-transaction',
  body: Type.Object({
    ...SALE.fields,
    LineItems: SdkLineItemsIn,
    TransactionType: Type.Optional(Type.Literal('0', { description: '0 for an authorization; omit it for a sale' })),
    CardNumber: Type.Optional(CardNumberIn),
    ExpiryDate: Type.Optional(ExpiryIn),
    Cvv: Type.Optional(CvvIn),
    ...TERMINAL.fields,
    BillingCustomerName: Type.Optional(Text(200, 'Name of the payer')),
    BillingEmail: Type.Optional(EmailIn('Email address of the payer, for the receipt')),
    BillingAddress: Type.Optional(Lines(200, 'Street of the billing address, for the address check')),
    BillingCity: Type.Optional(Text(100, 'City of the billing address')),
    BillingState: Type.Optional(Text(50, 'State of the billing address')),
    BillingPostalCode: Type.Optional(Text(20, 'ZIP code of the billing address, for the address check')),
  }),
  response: Outcome(Transaction),
  fields: FIELDS,
  errors: SALE_ERRORS,
  run: ({ core, actor, body }) =>
    core.payments.createPayment(actor, {
      ...saleFrom(SALE.from(body)),
      type: body.TransactionType === '0' ? 'auth' : 'sale',
      lineItems: linesFromSdk(body.LineItems),
      method: methodOf(body),
      billing: billingOf(body),
      customer: { name: body.BillingCustomerName, email: body.BillingEmail },
      source: body.TerminalId === undefined ? 'api' : 'terminal',
    }),
  acceptedIf: runsOnTerminal,
});

const IdBody = Type.Object({ TransactionId: TransactionIdIn });

const voidRoute = route({
  ...post,
  path: '/void',
  id: 'sdk.voidTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Void a transaction',
  description: 'Cancels a payment that is not settled, so that no money is taken.',
  body: Type.Object({ TransactionId: TransactionIdIn, Reason: Type.Optional(ReasonIn) }),
  response: Success(Transaction),
  errors: VOID_ERRORS,
  run: ({ core, actor, body }) => core.payments.voidTransaction(actor, { transactionId: body.TransactionId, reason: body.Reason }),
});

const refund = route({
  ...post,
  path: '/refund',
  id: 'sdk.refundTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Refund all or a part of a transaction',
  description: 'Refunds `Amount`, or the whole remaining amount if it is absent.',
  permission: 'refunds:write',
  rate: 'create-refund',
  body: Type.Object({
    TransactionId: TransactionIdIn,
    Amount: Type.Optional(AmountIn),
    ...PARTS.fields,
    Reason: Type.Optional(ReasonIn),
    Metadata: SALE.fields.Metadata,
  }),
  response: Outcome(Refund),
  fields: FIELDS,
  errors: REFUND_ERRORS,
  run: ({ core, actor, body }) =>
    core.payments.refund(actor, {
      transactionId: body.TransactionId,
      amount: body.Amount,
      ...PARTS.from(body),
      reason: body.Reason,
      metadata: checkMetadata(body.Metadata),
    }),
});

const capture = route({
  ...post,
  path: '/capture',
  id: 'sdk.captureTransaction',
  takesDrawer: true,
  approvable: true,
  summary: 'Capture all or a part of an authorization',
  description:
    'An authorization is captured once. Without `Amount` the whole authorized amount is captured; the rest of a smaller capture is released.',
  body: Type.Object({ TransactionId: TransactionIdIn, Amount: Type.Optional(AmountIn), ...PARTS.fields }),
  response: Success(Transaction),
  fields: FIELDS,
  errors: CAPTURE_ERRORS,
  run: ({ core, actor, body }) =>
    core.payments.capture(actor, { transactionId: body.TransactionId, amount: body.Amount, ...PARTS.from(body) }),
});

const adjust = route({
  ...post,
  path: '/adjust',
  id: 'sdk.adjustAuthorization',
  takesDrawer: true,
  approvable: true,
  summary: 'Raise or lower an open authorization',
  description: '`Amount` is the new total. If the gateway cannot change amounts, `Details.reason` of the error is `gateway_cannot_adjust`.',
  body: Type.Object({ TransactionId: TransactionIdIn, Amount: AmountIn, ...PARTS.fields }),
  response: Success(Transaction),
  fields: FIELDS,
  errors: ADJUST_ERRORS,
  run: ({ core, actor, body }) =>
    core.payments.adjustAuthorization(actor, { transactionId: body.TransactionId, amount: body.Amount, ...PARTS.from(body) }),
});

const tip = route({
  ...post,
  path: '/tip',
  id: 'sdk.adjustTip',
  takesDrawer: true,
  approvable: true,
  summary: 'Set the tip of an open authorization or an unsettled payment',
  description: 'Adds the tip to the amount, in place of a former tip; 0 takes it off.',
  body: Type.Object({ TransactionId: TransactionIdIn, TipAmount: TipIn }),
  response: Success(Transaction),
  fields: FIELDS,
  errors: ADJUST_ERRORS,
  run: ({ core, actor, body }) => core.payments.adjustTip(actor, { transactionId: body.TransactionId, tipAmount: body.TipAmount }),
});

const cancelCapture = route({
  ...post,
  path: '/cancel-capture',
  id: 'sdk.cancelCapture',
  takesDrawer: true,
  approvable: true,
  summary: 'Cancel a capture before settlement',
  description: 'Makes the payment an authorization again. Possible until it is settled or refunded.',
  body: IdBody,
  response: Success(Transaction),
  errors: ['ALREADY_VOIDED', ...STATE_ERRORS],
  run: ({ core, actor, body }) => core.payments.cancelCapture(actor, { transactionId: body.TransactionId }),
});

const credit = route({
  ...post,
  path: '/credit',
  id: 'sdk.creditTransaction',
  permission: 'credits:write',
  takesDrawer: true,
  approvable: true,
  summary: 'Unlinked credit to the card of a transaction, or to the card on a card reader',
  description:
    'Pays money to the card of an earlier transaction without reference to its amount, or to the card that the customer presents to the card reader of `TerminalId`: the response is then 202 while the credit runs on the reader.',
  body: Type.Object({
    TransactionId: Type.Optional(TransactionIdIn),
    Amount: AmountIn,
    TerminalId: TERMINAL.fields.TerminalId,
    Wait: TERMINAL.fields.Wait,
  }),
  response: Outcome(Transaction),
  fields: FIELDS,
  errors: ['NOT_FOUND', ...CREDIT_ERRORS],
  run: ({ core, actor, body: { TransactionId, TerminalId, Amount: amount, Wait } }) => {
    if (TerminalId === undefined) {
      refuseTerminalFields({ wait: Wait }, '`TerminalId`');
      return core.payments.createUnlinkedCredit(actor, { transactionId: required(TransactionId, 'TransactionId'), amount });
    }
    if (TransactionId !== undefined)
      throw new ServiceError('VALIDATION_ERROR', 'Send `TransactionId` or `TerminalId`, not both.', { field: 'TransactionId' });
    return core.payments.createCreditOnTerminal(actor, { terminalId: TerminalId, amount, waitSeconds: Wait });
  },
  acceptedIf: runsOnTerminal,
});

const tokenize = route({
  surface: 'sdk',
  scope: 'merchant',
  method: 'POST',
  tag,
  permission: 'transactions:write',
  path: '/tokenize',
  id: 'sdk.tokenizeCard',
  idempotent: false,
  summary: 'Store a card and get its token',
  description: 'Stores the card encrypted. The token can be charged by the merchant of the key only.',
  body: Type.Object(CardFields),
  response: Success(CardToken),
  fields: FIELDS,
  errors: CARD_ERRORS,
  run: ({ core, actor, body }) => core.vault.tokenizeCard(actor, { number: body.CardNumber, ...expiryFrom(body.ExpiryDate) }),
});

const query = route({
  surface: 'sdk',
  scope: 'merchant',
  method: 'GET',
  tag,
  permission: 'transactions:read',
  path: '/query/:transactionId',
  id: 'sdk.getTransaction',
  summary: 'One transaction with its history',
  description: 'Returns the transaction with everything that happened to it, oldest first.',
  params: Params('transactionId'),
  response: Success(TransactionWithActions),
  errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: (call) => readTransaction(call, call.params.transactionId),
});

export const sdkPayments = [create, voidRoute, refund, capture, adjust, tip, cancelCapture, credit, tokenize, query];
