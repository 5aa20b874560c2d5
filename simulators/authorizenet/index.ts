// Authorize.Net's JSON API according to its manuals and recorded responses: one address, one operation per request, members in the order of the schema.
import { type Entry, textOfCents } from '../ledger.ts';
import type { ReceivedRequest, SimulatorContext, SimulatorProtocol, SimulatorResponse } from '../simulator-server.ts';
import { marketsOf } from './channels.ts';
import { answerPayer, hostedPages, newToken, PAGE_PATH, SUBMIT_PATH } from './hosted-pages.ts';
import { batches, codeOf, details, networkOf, ofBatch, type Report, unsettled } from './reports.ts';
import type { TransactionRequest } from './request.ts';
import { faultIn, OPERATIONS } from './schema.ts';
import { transact, updateGroup, type Verdict } from './transactions.ts';

type Json = Record<string, unknown>;

const PATH = '/xml/v1/request.api';
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Quirks: `bom` puts a byte-order mark before each response, `wobble` changes the types of codes, `test-mode` is an account that stores
 * nothing, `no-free-credits` one that may not pay out without a payment, `no-details` one that may not request lists, `wrong-statistics`
 * gives batches a sum that differs from their lines, `no-zone` omits the zone from times, `moto-only` is an account for phone orders only, `retail` a
 * card-present one; `held-apart` lists held payments only if they are asked for by their status.
 */
export const authorizeNetSimulator: SimulatorProtocol = {
  kind: 'authorizenet',
  credentials: { loginId: 'peer-login', transactionKey: 'PeerKey123456789' },
  quirks: [
    'bom',
    'wobble',
    'test-mode',
    'no-free-credits',
    'no-details',
    'wrong-statistics',
    'no-zone',
    'moto-only',
    'retail',
    'held-apart',
  ],
  hostedPages,
  operationOf(received) {
    if (received.path === PAGE_PATH || received.path === SUBMIT_PATH) return 'payer';
    const [operation, members] = operationIn(received) ?? ['', {}];
    if (operation !== 'createTransactionRequest') return operation;
    return (members.transactionRequest as TransactionRequest | undefined)?.transactionType ?? operation;
  },
  answer(received, context, protocolFault) {
    const respondWith = (answer: Json): SimulatorResponse => ({
      status: 200,
      contentType: 'application/json; charset=utf-8',
      body: (context.quirks.has('bom') ? BYTE_ORDER_MARK : '') + JSON.stringify(answer),
    });
    if (received.path === PAGE_PATH || received.path === SUBMIT_PATH) return answerPayer(received, context);
    if (received.method !== 'POST' || received.path !== PATH)
      return { status: 404, contentType: 'text/html', body: '<html>Not Found</html>' };
    if (!/^application\/json\b/.test(received.contentType))
      return respondWith(failed('E00002', 'The content-type specified is not supported.'));
    const found = operationIn(received);
    if (found === null) return respondWith(failed('E00003', 'Root element is missing.'));
    const [operation, members] = found;
    const { refId } = members;
    const respond = (answer: Json) => respondWith(refId === undefined ? answer : { refId, ...answer });
    const shape = OPERATIONS[operation];
    if (shape === undefined) return respond(failed('E00004', 'The name of the API method is not valid.'));
    const fault = faultIn(operation, members, shape);
    if (fault !== null) return respond(failed('E00003', fault));
    if (!isAuthenticated(members, context))
      return respond(failed('E00007', 'User authentication failed due to invalid authentication values.'));
    if (protocolFault?.kind === 'busy') return respond(failed('E00053', 'The server is currently too busy, please try again later.'));
    if (protocolFault?.kind === 'echo') return respond(failed('E00013', `The request is invalid: ${received.body}`));
    if (protocolFault?.kind === 'code' && protocolFault.code.startsWith('E'))
      return respond(failed(protocolFault.code, 'An error occurred during processing.'));
    if (operation === 'createTransactionRequest') {
      const request = members.transactionRequest as TransactionRequest;
      const verdict = transact(request, context, protocolFault?.kind === 'code' ? protocolFault.code : null);
      const isDuplicate = protocolFault?.kind === 'duplicate' && verdict.response === '1';
      return respond(
        transactionAnswer(
          isDuplicate ? { response: '3', reason: '11', message: 'A duplicate transaction has been submitted.' } : verdict,
          context,
        ),
      );
    }
    if (operation === 'getHostedPaymentPageRequest')
      return respond({ token: newToken(members.transactionRequest as TransactionRequest, context), ...SUCCESSFUL });
    if (operation === 'updateSplitTenderGroupRequest') {
      const isKnown = updateGroup(String(members.splitTenderId), String(members.splitTenderStatus), context);
      return respond(isKnown ? SUCCESSFUL : failed('E00040', 'The record cannot be found.'));
    }
    return respond(reportResponse(operation, members, context));
  },
};

function operationIn({ body }: ReceivedRequest): [string, Json] | null {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return null;
    const entries = Object.entries(parsed);
    const [first] = entries;
    return entries.length === 1 && first && typeof first[1] === 'object' && first[1] !== null ? [first[0], first[1] as Json] : null;
  } catch {
    return null;
  }
}

function isAuthenticated({ merchantAuthentication }: Json, { credentials }: SimulatorContext): boolean {
  const { name, transactionKey } = merchantAuthentication as Record<string, string>;
  return name === credentials.loginId && transactionKey === credentials.transactionKey;
}

const messages = (resultCode: 'Ok' | 'Error', code: string, text: string) => ({ messages: { resultCode, message: [{ code, text }] } });
const failed = (code: string, text: string): Json => messages('Error', code, text);
const SUCCESSFUL = messages('Ok', 'I00001', 'Successful.');

function transactionAnswer({ response, reason, message, entry }: Verdict, context: SimulatorContext): Json {
  const isApproved = response === '1' || response === '4';
  const isRecorded = entry !== undefined && !context.quirks.has('test-mode');
  const errors: Record<string, Record<string, string>[]> = isApproved
    ? { messages: [{ code: reason, description: message }] }
    : { errors: [{ errorCode: reason, errorText: message }] };
  const transactionResponse = {
    responseCode: context.quirks.has('wobble') ? Number(response) : response,
    authCode: entry && isApproved ? codeOf(entry) : '',
    avsResultCode: entry?.details.avs ?? 'P',
    cvvResultCode: entry?.details.cvv ?? '',
    cavvResultCode: '',
    transId: isRecorded ? (context.quirks.has('wobble') ? Number(entry.reference) : entry.reference) : '0',
    refTransID: entry?.original ?? '',
    accountNumber: entry === undefined ? '' : `XXXX${entry.last4}`,
    accountType: accountTypeOf(entry),
    ...(context.quirks.has('wobble') ? withNumericCodes(errors) : errors),
    ...(entry && isApproved && partOf(entry)),
    transHashSha2: '',
    SupplementalDataQualificationIndicator: 0,
    ...(entry?.method === 'card' && response === '1' ? { networkTransId: networkOf(entry) } : {}),
  };
  const around = isApproved ? SUCCESSFUL : failed('E00027', 'The transaction was unsuccessful.');
  return { transactionResponse, ...around };
}

/** Members of a partial approval: the group, which the following payments would name, and its only part. */
function partOf(entry: Entry): Json {
  const { requested } = entry.details;
  if (requested === undefined) return {};
  const amounts = { requestedAmount: requested, approvedAmount: textOfCents(entry.amountMinor), balanceOnCard: '0.00' };
  const part = { transId: entry.reference, responseCode: '1', authCode: codeOf(entry), accountNumber: `XXXX${entry.last4}`, ...amounts };
  return { splitTenderId: entry.reference, prePaidCard: amounts, splitTenderPayments: [part] };
}

const accountTypeOf = (entry: Entry | undefined) => (entry === undefined ? '' : entry.method === 'card' ? 'Visa' : 'eCheck');

/** Codes that are text in other responses. */
function withNumericCodes(errors: Record<string, Record<string, string>[]>): Json {
  const numbered = (item: Record<string, string>) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, /code$/i.test(name) ? Number(value) : value]));
  return Object.fromEntries(Object.entries(errors).map(([name, items]) => [name, items.map(numbered)]));
}

function reportResponse(operation: string, members: Json, context: SimulatorContext): Json {
  if (operation === 'authenticateTestRequest') return SUCCESSFUL;
  if (operation === 'getMerchantDetailsRequest') return { ...merchant(context), ...SUCCESSFUL };
  if (context.quirks.has('no-details'))
    return failed('E00011', 'Access denied. You do not have permissions to call the Transaction Details API.');
  const report = reportOf(operation, members, context);
  if (report === null) return messages('Ok', 'I00004', 'No records found.');
  return 'refused' in report ? failed(String(report.refused), String(report.message)) : { ...report, ...SUCCESSFUL };
}

function reportOf(operation: string, members: Json, context: SimulatorContext): Report {
  switch (operation) {
    case 'getTransactionDetailsRequest':
      return details(String(members.transId), context);
    case 'getUnsettledTransactionListRequest':
      return unsettled(members, context);
    case 'getSettledBatchListRequest':
      return batches(members, context);
    default:
      return ofBatch({ ...members, batchId: String(members.batchId) }, context);
  }
}

function merchant(context: SimulatorContext): Json {
  return {
    isTestMode: context.quirks.has('test-mode'),
    processors: [{ name: 'First Data Nashville', id: 2, cardTypes: ['V', 'M', 'A', 'D'] }],
    merchantName: 'Peer Books',
    gatewayId: '565697',
    marketTypes: marketsOf(context),
    productCodes: ['CNP'],
    paymentMethods: ['Visa', 'MasterCard', 'Echeck'],
    currencies: ['USD'],
    merchantTimeZone: 'America/New_York',
  };
}
