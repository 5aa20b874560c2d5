import type { Source } from '#core/vault';
import { currenciesAmong, followedBy, keyRefused, zoneNamed } from '../account-texts.ts';
import type { ChargeRequest, Connector, Outcome, ReferencedRequest } from '../connector.ts';
import type { HttpClient } from '../http-client.ts';
import type { AccountCheck, GatewayAccount, Processor } from '../processor.ts';
import { outcomeOf } from './answers.ts';
import { type Client, createClient, isTrue, type Json, listOf, messageOf, TIMEOUT_MS, textOf } from './client.ts';
import { inquire } from './inquire.ts';
import { detailsOf } from './lists.ts';
import { meaningOfMessage, type Standing, standingOf } from './mapping.ts';
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
      hint: 'Made beside the API login ID; a new one ends the old one after 24 hours.',
    },
  ],
  open: (account, wire) => connectorOf(account, createClient(account, wire)),
  check: (account, wire) => check(account, wire),
};

function connectorOf({ currency }: GatewayAccount, client: Client): Connector {
  async function send(request: Json, refId: string, secrets: readonly string[]): Promise<Outcome> {
    const heard = await client.ask('createTransactionRequest', { refId, transactionRequest: request });
    return outcomeOf(heard, (text) => client.clean(text, secrets));
  }
  const pay = (transactionType: string, order: ChargeRequest) =>
    send(paymentRequest(transactionType, order), order.processorRef, secretsOf(order.source));

  /** Refused while it is unsettled, it can be asked for again after the batch. */
  async function refund(question: ReferencedRequest): Promise<Outcome> {
    const { paidWith, original, processorRef } = question;
    if (paidWith === undefined)
      return { kind: 'not-sent', reason: 'What the payment was made with is not known: the processor wants it.', retry: 'error' };
    const secrets = paidWith.kind === 'ach' ? secretsOf(paidWith) : [];
    const outcome = await send(refundRequest(question, paidWith), processorRef, secrets);
    if (outcome.kind !== 'not-sent' || outcome.code !== 'NOT_REFUNDABLE') return outcome;
    const details = await detailsOf(client, original.reference);
    const isSettled = 'transaction' in details && ENDED.has(standingOf(textOf(details.transaction.transactionStatus)));
    return isSettled ? outcome : { ...outcome, reason: 'The payment is not settled yet.', retry: 'after-batch' };
  }

  return {
    name: NAME,
    capabilities: {
      notFoundIsFinal: false,
      answersWithinMs: TIMEOUT_MS,
      cancelsCaptures: false,
      refundsUnsettled: 'none',
      returnsLate: true,
    },
    sell: (order) => pay('authCaptureTransaction', order),
    authorize: (order) => pay('authOnlyTransaction', order),
    credit: (order) => pay('refundTransaction', order),
    capture: (question) => send(captureRequest(question), question.processorRef, []),
    cancelCapture: () =>
      Promise.resolve({ kind: 'not-sent', reason: 'The processor takes no capture back.', retry: 'error', code: 'RESOURCE_CONFLICT' }),
    void: (question) => send(voidRequest(question), question.processorRef, []),
    refund,
    inquire: (of) => inquire(client, of, currency),
    settlementReport: (of) => settlementReport(client, of, currency),
    returns: (of) => returns(client, of, currency),
  };
}

/** Transaction states from which a payment can never become refundable. */
const ENDED: ReadonlySet<Standing | undefined> = new Set<Standing>([
  'settled',
  'returned',
  'voided',
  'declined',
  'fraud',
  'refund',
  'refund-settled',
]);

/** Returns the parts of a source that must not appear in any text. */
function secretsOf(source: Source): string[] {
  return source.kind === 'card' ? [source.number, ...(source.cvv ? [source.cvv] : [])] : [source.accountNumber];
}

/** Checks the credentials, the account details and the permission to list transactions. None of the requests has an effect. */
async function check(account: GatewayAccount, wire: HttpClient): Promise<AccountCheck> {
  const client = createClient(account, wire);
  const refusedKey = (reason: string) => keyRefused(account, reason, 'transactionKey');
  const tested = await permitted(client, 'authenticateTestRequest', {}, refusedKey);
  if ('kind' in tested) return tested as AccountCheck;
  const details = await permitted(client, 'getMerchantDetailsRequest', {}, refusedKey);
  if ('kind' in details) return details as AccountCheck;
  if (account.mode === 'live' && isTrue(details.isTestMode))
    return { kind: 'refused', reason: 'The account is in test mode at the processor: it would keep no payment.', field: 'mode' };
  const currencies = currenciesAmong(namesIn(details.currencies));
  if (currencies.length > 0 && !currencies.includes(account.currency))
    return { kind: 'refused', reason: `The account takes ${currencies.join(', ')}.`, field: 'currency' };
  // Without the lists no doubt could ever be ended.
  const listed = await permitted(client, 'getUnsettledTransactionListRequest', ONE_LINE, (reason) => ({
    kind: 'refused',
    reason: followedBy(reason, 'Switch it on in the merchant interface under Account, Transaction Details API.'),
    field: 'loginId',
  }));
  if ('kind' in listed) return listed as AccountCheck;
  return {
    kind: 'ok',
    merchantName: client.clean(textOf(details.merchantName) ?? ''),
    currencies,
    timezone: zoneNamed(textOf(details.merchantTimeZone)),
    takesBankAccounts: namesIn(details.paymentMethods).some((name) => name.toLowerCase() === 'echeck'),
  };
}

const ONE_LINE = { status: 'any', sorting: { orderBy: 'id', orderDescending: true }, paging: { limit: 1, offset: 1 } } as const;

/** The answer to a question that the account must be allowed to ask; a busy processor says nothing about the account. */
async function permitted(
  client: Client,
  operation: string,
  members: Json,
  refused: (reason: string) => AccountCheck,
): Promise<Json | AccountCheck> {
  const heard = await client.ask(operation, members);
  if (heard.kind !== 'answer') return { kind: 'unreachable', reason: heard.reason };
  const { isOk, code, text } = messageOf(heard.answer);
  const { kind, ...answer } = heard.answer;
  if (isOk) return answer;
  const reason = client.clean(text) || `The processor answered ${client.clean(code) || 'without a reason'}.`;
  return meaningOfMessage(code)?.is === 'set-up' ? refused(reason) : { kind: 'unreachable', reason };
}

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : listOf(value).flatMap(({ name }) => textOf(name) ?? []);
