// Authorize.Net's JSON API, as processors' manuals and recorded answers have it: one address, one operation a question, members in the schema's order.
import type { Entry } from '../ledger.ts';
import type { Books, PeerAnswer, PeerProtocol, Question } from '../peer-server.ts';
import { batches, codeOf, details, networkOf, ofBatch, type Report, unsettled } from './reports.ts';
import { faultIn, OPERATIONS } from './schema.ts';
import { type TransactionRequest, transact, type Verdict } from './transactions.ts';

type Json = Record<string, unknown>;

const PATH = '/xml/v1/request.api';
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Peculiarities: `bom` puts a byte-order mark before each answer, `wobble` changes the types of codes, `test-mode` is an account that keeps nothing, `no-free-credits` one that may not
 * pay out without a payment, `no-details` one that may not ask for lists, `wrong-statistics` gives batches a sum that is not that of their lines, `no-zone` leaves the zone out of times.
 */
export const authorizeNetPeer: PeerProtocol = {
  kind: 'authorizenet',
  credentials: { loginId: 'peer-login', transactionKey: 'PeerKey123456789' },
  quirks: ['bom', 'wobble', 'test-mode', 'no-free-credits', 'no-details', 'wrong-statistics', 'no-zone'],
  operationOf(question) {
    const [operation, members] = operationIn(question) ?? ['', {}];
    if (operation !== 'createTransactionRequest') return operation;
    return (members.transactionRequest as TransactionRequest | undefined)?.transactionType ?? operation;
  },
  answer(question, on, played) {
    const told = (answer: Json): PeerAnswer => ({
      status: 200,
      contentType: 'application/json; charset=utf-8',
      body: (on.quirks.has('bom') ? BYTE_ORDER_MARK : '') + JSON.stringify(answer),
    });
    if (question.method !== 'POST' || question.path !== PATH)
      return { status: 404, contentType: 'text/html', body: '<html>Not Found</html>' };
    if (!/^application\/json\b/.test(question.contentType)) return told(failed('E00002', 'The content-type specified is not supported.'));
    const found = operationIn(question);
    if (found === null) return told(failed('E00003', 'Root element is missing.'));
    const [operation, members] = found;
    const shape = OPERATIONS[operation];
    if (shape === undefined) return told(failed('E00004', 'The name of the API method is not valid.'));
    const fault = faultIn(operation, members, shape);
    if (fault !== null) return told(failed('E00003', fault));
    if (!isLetIn(members, on)) return told(failed('E00007', 'User authentication failed due to invalid authentication values.'));
    if (played?.kind === 'busy') return told(failed('E00053', 'The server is currently too busy, please try again later.'));
    if (played?.kind === 'echo') return told(failed('E00013', `The request is invalid: ${question.body}`));
    if (played?.kind === 'code' && played.code.startsWith('E')) return told(failed(played.code, 'An error occurred during processing.'));
    if (operation === 'createTransactionRequest') {
      const request = members.transactionRequest as TransactionRequest;
      const verdict = transact(request, on, played?.kind === 'code' ? played.code : null);
      const isTwin = played?.kind === 'duplicate' && verdict.response === '1';
      return told(
        transactionAnswer(
          members,
          isTwin ? { response: '3', reason: '11', words: 'A duplicate transaction has been submitted.' } : verdict,
          on,
        ),
      );
    }
    return told(reported(operation, members, on));
  },
};

function operationIn({ body }: Question): [string, Json] | null {
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

function isLetIn({ merchantAuthentication }: Json, { credentials }: Books): boolean {
  const { name, transactionKey } = merchantAuthentication as Record<string, string>;
  return name === credentials.loginId && transactionKey === credentials.transactionKey;
}

const messages = (resultCode: 'Ok' | 'Error', code: string, text: string) => ({ messages: { resultCode, message: [{ code, text }] } });
const failed = (code: string, text: string): Json => messages('Error', code, text);
const SUCCESSFUL = messages('Ok', 'I00001', 'Successful.');

function transactionAnswer({ refId }: Json, { response, reason, words, entry }: Verdict, on: Books): Json {
  const isWell = response === '1' || response === '4';
  const isKept = entry !== undefined && !on.quirks.has('test-mode');
  const why: Record<string, Record<string, string>[]> = isWell
    ? { messages: [{ code: reason, description: words }] }
    : { errors: [{ errorCode: reason, errorText: words }] };
  const transactionResponse = {
    responseCode: on.quirks.has('wobble') ? Number(response) : response,
    authCode: entry && isWell ? codeOf(entry) : '',
    avsResultCode: entry?.shown.avs ?? 'P',
    cvvResultCode: entry?.shown.cvv ?? '',
    cavvResultCode: '',
    transId: isKept ? (on.quirks.has('wobble') ? Number(entry.reference) : entry.reference) : '0',
    refTransID: entry?.original ?? '',
    accountNumber: entry === undefined ? '' : `XXXX${entry.last4}`,
    accountType: accountTypeOf(entry),
    ...(on.quirks.has('wobble') ? wobbling(why) : why),
    transHashSha2: '',
    SupplementalDataQualificationIndicator: 0,
    ...(entry?.method === 'card' && response === '1' ? { networkTransId: networkOf(entry) } : {}),
  };
  const around = isWell ? SUCCESSFUL : failed('E00027', 'The transaction was unsuccessful.');
  return { transactionResponse, ...(refId === undefined ? {} : { refId }), ...around };
}

const accountTypeOf = (entry: Entry | undefined) => (entry === undefined ? '' : entry.method === 'card' ? 'Visa' : 'eCheck');

/** Codes that are text elsewhere. */
function wobbling(why: Record<string, Record<string, string>[]>): Json {
  const numbered = (item: Record<string, string>) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, /code$/i.test(name) ? Number(value) : value]));
  return Object.fromEntries(Object.entries(why).map(([name, items]) => [name, items.map(numbered)]));
}

function reported(operation: string, members: Json, on: Books): Json {
  if (operation === 'authenticateTestRequest') return SUCCESSFUL;
  if (operation === 'getMerchantDetailsRequest') return { ...merchant(on), ...SUCCESSFUL };
  if (on.quirks.has('no-details'))
    return failed('E00011', 'Access denied. You do not have permissions to call the Transaction Details API.');
  const report = reportOf(operation, members, on);
  if (report === null) return messages('Ok', 'I00004', 'No records found.');
  return 'refused' in report ? failed(String(report.refused), String(report.words)) : { ...report, ...SUCCESSFUL };
}

function reportOf(operation: string, members: Json, on: Books): Report {
  switch (operation) {
    case 'getTransactionDetailsRequest':
      return details(String(members.transId), on);
    case 'getUnsettledTransactionListRequest':
      return unsettled(members, on);
    case 'getSettledBatchListRequest':
      return batches(members, on);
    default:
      return ofBatch({ ...members, batchId: String(members.batchId) }, on);
  }
}

function merchant(on: Books): Json {
  return {
    isTestMode: on.quirks.has('test-mode'),
    processors: [{ name: 'First Data Nashville', id: 2, cardTypes: ['V', 'M', 'A', 'D'] }],
    merchantName: 'Peer Books',
    gatewayId: '565697',
    marketTypes: ['MOTO'],
    productCodes: ['CNP'],
    paymentMethods: ['Visa', 'MasterCard', 'Echeck'],
    currencies: ['USD'],
    merchantTimeZone: 'America/New_York',
  };
}
