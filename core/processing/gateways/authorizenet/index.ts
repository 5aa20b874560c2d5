import { numberOf, type Source } from '#core/records/vault';
import { currenciesAmong, joinSentences, keyRefused, timeZoneIn } from '../account-texts.ts';
import type { ChargeRequest, Connector, ReferencedRequest } from '../connector.ts';
import type { HttpClient } from '../http-client.ts';
import type { Outcome } from '../outcome.ts';
import type { AccountCheck, GatewayAccount, Processor } from '../processor.ts';
import { type ApprovedPart, approvedPartOf, outcomeOf, statesOtherAmount } from './answers.ts';
import { channelObstacle, marketsFrom } from './channels.ts';
import { type Client, createClient, isTrue, type Json, listOf, messageOf, TIMEOUT_MS, textOf } from './client.ts';
import { disputes } from './disputes.ts';
import { hostedPages } from './hosted-pages.ts';
import { inquire } from './inquire.ts';
import { detailsOf } from './lists.ts';
import { meaningOfMessage, SETTLED_STATES, type TransactionState, transactionStateOf } from './mapping.ts';
import { captureRequest, paymentRequest, refundRequest, voidRequest } from './requests.ts';
import { returns, settlementReport } from './settlement.ts';

const NAME = 'authorizenet';

/** Connector to Authorize.Net by its JSON API. `docs/connectors.md` lists what is not verified against the live processor. */
export const authorizeNet: Processor = {
  type: NAME,
  label: 'Authorize.Net',
  hasOwnHosts: false,
  hints: { cutoffTime: 'In the merchant interface under Account, Transaction Cut-Off Time.' },
  credentials: [
    {
      name: 'loginId',
      label: 'API login ID',
      isSecret: false,
      isRequired: true,
      lengthMax: 25,
      hint: 'In the merchant interface under Account, API Credentials & Keys.',
    },
    {
      name: 'transactionKey',
      label: 'Transaction key',
      isSecret: true,
      isRequired: true,
      lengthMax: 16,
      hint: 'Created together with the API login ID. Creating a new key ends the old one after 24 hours.',
    },
  ],
  open: (account, wire) => connectorOf(account, createClient(account, wire)),
  channelObstacle,
  check: (account, wire) => check(account, wire),
};

function connectorOf(account: GatewayAccount, client: Client): Connector {
  const { currency, markets = null } = account;
  async function send(request: Json, refId: string, secrets: readonly string[]): Promise<Outcome> {
    const response = await client.send('createTransactionRequest', { transactionRequest: request }, refId);
    return outcomeOf(response, (text) => client.clean(text, secrets));
  }
  async function pay(transactionType: string, charge: ChargeRequest): Promise<Outcome> {
    const { processorRef, source, allowsPartialApproval } = charge;
    if (source.kind === 'card-at-gateway')
      return { kind: 'not-sent', reason: 'The processor does not store this card. Nothing was charged.', retry: 'error' };
    const transactionRequest = paymentRequest(transactionType, charge, markets);
    const response = await client.send('createTransactionRequest', { transactionRequest }, processorRef);
    const outcome = outcomeOf(response, (text) => client.clean(text, secretsOf(source)));
    const part = allowsPartialApproval ? approvedPartOf(response, currency) : null;
    if (part !== null) return complete(part, outcome);
    const isOther = outcome.kind === 'approved' && statesOtherAmount(response, charge.amount);
    return isOther ? { kind: 'unknown', cause: 'The amount at the processor differs.', alert: 'other-amount' } : outcome;
  }

  /** Ends the group of an approved part, which then settles. Without an answer it is voided, because a held part never settles. */
  async function complete({ splitTenderId, approved }: ApprovedPart, voided: Outcome): Promise<Outcome> {
    const answer = await client.send('updateSplitTenderGroupRequest', { splitTenderId, splitTenderStatus: 'completed' });
    return answer.kind === 'response' && messageOf(answer.body).isOk ? approved : voided;
  }

  /** Sends a refund. If the payment is not settled yet, the outcome is `after-batch`. */
  async function refund(request: ReferencedRequest): Promise<Outcome> {
    const { paidWith, original, processorRef } = request;
    if (paidWith === undefined)
      return { kind: 'not-sent', reason: 'The card or account of the payment is unknown, but the processor requires it.', retry: 'error' };
    const secrets = paidWith.kind === 'ach' ? secretsOf(paidWith) : [];
    const outcome = await send(refundRequest(request, paidWith), processorRef, secrets);
    if (outcome.kind !== 'not-sent' || outcome.code !== 'NOT_REFUNDABLE') return outcome;
    const details = await detailsOf(client, original.reference);
    const isSettled = 'transaction' in details && NEVER_REFUNDABLE.has(transactionStateOf(textOf(details.transaction.transactionStatus)));
    return isSettled ? outcome : { ...outcome, reason: 'The payment is not settled yet.', retry: 'after-batch' };
  }

  return {
    name: NAME,
    capabilities: {
      notFoundIsFinal: false,
      // Sends the payment and, for an approved part, the end of its group.
      answersWithinMs: TIMEOUT_MS * 2,
      cancelsCaptures: false,
      refundsUnsettled: 'none',
      adjustsAmounts: false,
      returnsLate: true,
    },
    purchase: (charge) => pay('authCaptureTransaction', charge),
    authorize: (charge) => pay('authOnlyTransaction', charge),
    credit: (charge) => pay('refundTransaction', charge),
    capture: (question) => send(captureRequest(question), question.processorRef, []),
    cancelCapture: () =>
      Promise.resolve({ kind: 'not-sent', reason: 'The processor cannot cancel captures.', retry: 'error', code: 'RESOURCE_CONFLICT' }),
    adjust: () =>
      Promise.resolve({ kind: 'not-sent', reason: 'The processor cannot change amounts.', retry: 'error', code: 'RESOURCE_CONFLICT' }),
    void: (question) => send(voidRequest(question), question.processorRef, []),
    refund,
    inquire: (request) => inquire(client, request, currency),
    settlementReport: (request) => settlementReport(client, request, currency),
    returns: (request) => returns(client, request, currency),
    disputes: (request) => disputes(client, request, currency),
    hostedPages: hostedPages(client, account),
  };
}

/** Transaction states from which a payment can never become refundable. */
const NEVER_REFUNDABLE: ReadonlySet<TransactionState | undefined> = new Set<TransactionState | undefined>([
  ...SETTLED_STATES,
  'voided',
  'declined',
  'fraud',
  'refund',
  'refund-settled',
]);

/** Returns the parts of a source that must not appear in any text. */
function secretsOf(source: Source): string[] {
  const number = numberOf(source);
  const cvv = source.kind === 'card' ? source.cvv : undefined;
  return [number, cvv].filter((secret) => secret !== undefined);
}

/** Checks the credentials, the account details and the permission to list transactions. None of the requests has an effect. */
async function check(account: GatewayAccount, wire: HttpClient): Promise<AccountCheck> {
  const client = createClient(account, wire);
  const refusedKey = (reason: string) => keyRefused(account, reason, 'transactionKey');
  const authentication = await requestPermitted(client, 'authenticateTestRequest', {}, refusedKey);
  if ('kind' in authentication) return authentication as AccountCheck;
  const details = await requestPermitted(client, 'getMerchantDetailsRequest', {}, refusedKey);
  if ('kind' in details) return details as AccountCheck;
  if (account.mode === 'live' && isTrue(details.isTestMode))
    return { kind: 'refused', reason: 'The account is in test mode at the processor, so payments would not be processed.', field: 'mode' };
  const currencies = currenciesAmong(namesIn(details.currencies));
  if (currencies.length > 0 && !currencies.includes(account.currency))
    return { kind: 'refused', reason: `The account accepts only ${currencies.join(', ')}.`, field: 'currency' };
  // Without the lists, unconfirmed payments could not be resolved.
  const transactionList = await requestPermitted(client, 'getUnsettledTransactionListRequest', ONE_LINE, (reason) => ({
    kind: 'refused',
    reason: joinSentences(reason, 'Enable the Transaction Details API in the merchant interface under Account.'),
    field: 'loginId',
  }));
  if ('kind' in transactionList) return transactionList as AccountCheck;
  return {
    kind: 'ok',
    merchantName: client.clean(textOf(details.merchantName) ?? ''),
    currencies,
    timezone: timeZoneIn(textOf(details.merchantTimeZone)),
    takesBankAccounts: namesIn(details.paymentMethods).some((name) => name.toLowerCase() === 'echeck'),
    markets: marketsFrom(namesIn(details.marketTypes)),
  };
}

const ONE_LINE = { status: 'any', sorting: { orderBy: 'id', orderDescending: true }, paging: { limit: 1, offset: 1 } } as const;

/** Returns the response to a request for which the account needs a permission. An error of a busy processor does not count as a refusal of the account. */
async function requestPermitted(
  client: Client,
  operation: string,
  members: Json,
  toRefusal: (reason: string) => AccountCheck,
): Promise<Json | AccountCheck> {
  const response = await client.send(operation, members);
  if (response.kind !== 'response') return { kind: 'unreachable', reason: response.reason };
  const { isOk, code, text } = messageOf(response.body);
  const { kind, ...answer } = response.body;
  if (isOk) return answer;
  const reason = client.clean(text) || `The processor responded ${client.clean(code) || 'without a reason'}.`;
  return meaningOfMessage(code)?.kind === 'set-up' ? toRefusal(reason) : { kind: 'unreachable', reason };
}

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : listOf(value).flatMap(({ name }) => textOf(name) ?? []);
