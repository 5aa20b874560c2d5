// What the processor shows of its books: one transaction, what is unsettled, batches and what is in them.
import { type Batch, type Entry, textOfCents } from '../ledger.ts';
import type { Books } from '../peer-server.ts';

type Json = Record<string, unknown>;

interface Listed {
  readonly sorting?: { readonly orderBy: string; readonly orderDescending: unknown };
  readonly paging?: { readonly limit: unknown; readonly offset: unknown };
}

const SPAN_MS_MAX = 31 * 86_400_000;

/** A refusal, or the members of an answer; null is an empty list. */
export type Report = Json | { readonly refused: string; readonly words: string } | null;

export function details(transId: string, on: Books): Report {
  const entry = on.ledger.of(transId);
  if (!entry || !on.ledger.isVisible(entry)) return { refused: 'E00040', words: 'The record cannot be found.' };
  const { shown, returned } = entry;
  const batch = entry.batch === undefined ? undefined : on.ledger.batch(entry.batch);
  return {
    transaction: {
      transId,
      submitTimeUTC: entry.at,
      transactionType: TYPES[entry.operation],
      transactionStatus: statusOf(entry),
      // A number here, text in the answer to the payment.
      responseCode: Number(shown.response ?? '1'),
      responseReasonCode: Number(shown.reason ?? '1'),
      AVSResponse: shown.avs,
      cardCodeResponse: shown.cvv,
      authCode: codeOf(entry),
      networkTransId: entry.method === 'card' ? networkOf(entry) : undefined,
      ...(batch ? { batch: { batchId: batch.id, settlementTimeUTC: batch.at, settlementState: 'settledSuccessfully' } } : {}),
      order: { invoiceNumber: entry.ourReference, discountAmount: 0, taxIsAfterDiscount: false },
      authAmount: Number(textOfCents(entry.amountMinor)),
      settleAmount: Number(textOfCents(entry.movedMinor)),
      taxExempt: false,
      payment:
        entry.method === 'card'
          ? { creditCard: { cardNumber: `XXXX${entry.last4}`, expirationDate: 'XXXX' } }
          : { bankAccount: { accountNumber: `XXXX${entry.last4}` } },
      ...(returned
        ? {
            returnedItems: [
              {
                id: `R${transId}`,
                dateUTC: returned.at,
                dateLocal: returned.at.slice(0, 19),
                code: returned.code,
                description: returned.reason,
              },
            ],
          }
        : {}),
    },
  };
}

export function unsettled({ status, ...asked }: Listed & { readonly status?: string }, on: Books): Report {
  const open = on.ledger.all().filter((entry) => entry.state !== 'settled' && on.ledger.isVisible(entry));
  return paged(status === 'pendingApproval' ? open.filter(({ state }) => state === 'held') : open, asked);
}

export function ofBatch({ batchId, ...asked }: Listed & { readonly batchId: string }, on: Books): Report {
  const batch = on.ledger.batch(batchId);
  if (!batch) return { refused: 'E00040', words: 'The record cannot be found.' };
  return paged(entriesOf(batch, on), asked);
}

export function batches(
  {
    includeStatistics,
    firstSettlementDate,
    lastSettlementDate,
  }: { includeStatistics?: unknown; firstSettlementDate?: string; lastSettlementDate?: string },
  on: Books,
): Report {
  const until = lastSettlementDate === undefined ? on.now() : Date.parse(lastSettlementDate);
  const from = firstSettlementDate === undefined ? until - 86_400_000 : Date.parse(firstSettlementDate);
  if (until < from) return { refused: 'E00003', words: 'The last settlement date is before the first.' };
  if (until - from > SPAN_MS_MAX) return { refused: 'E00003', words: 'The date range is longer than 31 days.' };
  const found = on.ledger.batches().filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= until);
  if (found.length === 0) return null;
  return {
    batchList: found.map((batch) => ({
      batchId: batch.id,
      settlementTimeUTC: on.quirks.has('no-zone') ? batch.at.slice(0, 19) : batch.at,
      settlementTimeLocal: batch.at.slice(0, 19),
      settlementState: 'settledSuccessfully',
      paymentMethod: batch.method === 'card' ? 'creditCard' : 'eCheck',
      ...(String(includeStatistics) === 'true' ? { statistics: [statisticsOf(batch, on)] } : {}),
    })),
  };
}

function statisticsOf(batch: Batch, on: Books): Json {
  const entries = entriesOf(batch, on);
  const sum = (operations: readonly string[]) =>
    entries.filter(({ operation }) => operations.includes(operation)).reduce((total, { movedMinor }) => total + movedMinor, 0);
  const count = (operations: readonly string[]) => entries.filter(({ operation }) => operations.includes(operation)).length;
  const charged = sum(['sale', 'auth']) + (on.quirks.has('wrong-statistics') ? 1 : 0);
  return {
    accountType: batch.method === 'card' ? 'Visa' : 'eCheck',
    chargeAmount: Number(textOfCents(charged)),
    chargeCount: count(['sale', 'auth']),
    refundAmount: Number(textOfCents(sum(['refund', 'credit']))),
    refundCount: count(['refund', 'credit']),
    voidCount: 0,
    declineCount: 0,
    errorCount: 0,
  };
}

const entriesOf = (batch: Batch, on: Books) => batch.references.flatMap((reference) => on.ledger.of(reference) ?? []);

function paged(entries: readonly Entry[], { sorting, paging }: Listed): Report {
  const limit = Number(paging?.limit ?? 1_000);
  const offset = Number(paging?.offset ?? 1);
  const sorted = String(sorting?.orderDescending) === 'true' ? entries.toReversed() : entries;
  const page = sorted.slice((offset - 1) * limit, offset * limit);
  if (entries.length === 0) return null;
  if (page.length === 0) return { refused: 'E00094', words: 'The specified offset is out of range.' };
  return { transactions: page.map(lineOf), totalNumInResultSet: entries.length };
}

function lineOf(entry: Entry): Json {
  return {
    transId: entry.reference,
    submitTimeUTC: entry.at,
    submitTimeLocal: entry.at.slice(0, 19),
    transactionStatus: statusOf(entry),
    invoiceNumber: entry.ourReference,
    firstName: entry.shown.firstName,
    accountType: entry.method === 'card' ? 'Visa' : 'eCheck',
    accountNumber: `XXXX${entry.last4}`,
    settleAmount: Number(textOfCents(entry.movedMinor)),
    marketType: 'MOTO',
    hasReturnedItems: entry.returned !== undefined,
    hasReturnedItemsSpecified: true,
  };
}

const TYPES: Readonly<Record<Entry['operation'], string>> = {
  sale: 'authCaptureTransaction',
  auth: 'authOnlyTransaction',
  refund: 'refundTransaction',
  credit: 'refundTransaction',
};

function statusOf(entry: Entry): string {
  const isOut = entry.operation === 'refund' || entry.operation === 'credit';
  switch (entry.state) {
    case 'authorized':
      return entry.shown.response === '2' || entry.shown.response === '3' ? 'couldNotVoid' : 'authorizedPendingCapture';
    case 'captured':
      return isOut ? 'refundPendingSettlement' : 'capturedPendingSettlement';
    case 'settled':
      if (entry.returned) return 'returnedItem';
      return isOut ? 'refundSettledSuccessfully' : 'settledSuccessfully';
    case 'voided':
      return 'voided';
    case 'held':
      return 'FDSPendingReview';
    case 'declined':
      return entry.shown.response === '4' ? 'failedReview' : 'declined';
    default:
      return 'generalError';
  }
}

/** The issuer's code, as the answer had it. */
export const codeOf = ({ reference }: Entry): string => `A${reference.slice(-5)}`;
/** The card network's name of it. */
export const networkOf = ({ reference }: Entry): string => `NET${reference}`;
