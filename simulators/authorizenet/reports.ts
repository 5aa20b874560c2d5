// The processor's reports: one transaction, unsettled transactions, batches and their contents.
import { type Batch, type Entry, textOfCents } from '../ledger.ts';
import type { SimulatorContext } from '../simulator-server.ts';

type Json = Record<string, unknown>;

interface Listed {
  readonly sorting?: { readonly orderBy: string; readonly orderDescending: unknown };
  readonly paging?: { readonly limit: unknown; readonly offset: unknown };
}

const SPAN_MS_MAX = 31 * 86_400_000;

/** A refusal, or the members of a response; null is an empty list. */
export type Report = Json | { readonly refused: string; readonly message: string } | null;

export function details(transId: string, context: SimulatorContext): Report {
  const entry = context.ledger.find(transId);
  if (!entry || !context.ledger.isVisible(entry)) return { refused: 'E00040', message: 'The record cannot be found.' };
  const { details: shown, returned } = entry;
  const batch = entry.batch === undefined ? undefined : context.ledger.batch(entry.batch);
  return {
    transaction: {
      transId,
      submitTimeUTC: entry.at,
      transactionType: TYPES[entry.operation],
      transactionStatus: statusOf(entry),
      // A number here, text in the response to the payment.
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
          ? { creditCard: { cardNumber: `XXXX${entry.last4}`, expirationDate: 'XXXX', cardType: 'Visa' } }
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

export function unsettled({ status, ...asked }: Listed & { readonly status?: string }, context: SimulatorContext): Report {
  const open = context.ledger.all().filter((entry) => entry.state !== 'settled' && context.ledger.isVisible(entry));
  if (status === 'pendingApproval')
    return paged(
      open.filter(({ state }) => state === 'held'),
      asked,
    );
  return paged(context.quirks.has('held-apart') ? open.filter(({ state }) => state !== 'held') : open, asked);
}

export function ofBatch({ batchId, ...asked }: Listed & { readonly batchId: string }, context: SimulatorContext): Report {
  const batch = context.ledger.batch(batchId);
  if (!batch) return { refused: 'E00040', message: 'The record cannot be found.' };
  return paged(entriesOf(batch, context), asked);
}

export function batches(
  {
    includeStatistics,
    firstSettlementDate,
    lastSettlementDate,
  }: { includeStatistics?: unknown; firstSettlementDate?: string; lastSettlementDate?: string },
  context: SimulatorContext,
): Report {
  const until = lastSettlementDate === undefined ? context.now() : Date.parse(lastSettlementDate);
  const from = firstSettlementDate === undefined ? until - 86_400_000 : Date.parse(firstSettlementDate);
  if (until < from) return { refused: 'E00003', message: 'The last settlement date is before the first.' };
  if (until - from > SPAN_MS_MAX) return { refused: 'E00003', message: 'The date range is longer than 31 days.' };
  const found = context.ledger.batches().filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= until);
  if (found.length === 0) return null;
  return {
    batchList: found.map((batch) => ({
      batchId: batch.id,
      settlementTimeUTC: context.quirks.has('no-zone') ? batch.at.slice(0, 19) : batch.at,
      settlementTimeLocal: batch.at.slice(0, 19),
      settlementState: 'settledSuccessfully',
      paymentMethod: batch.method === 'card' ? 'creditCard' : 'eCheck',
      ...(String(includeStatistics) === 'true' ? { statistics: [statisticsOf(batch, context)] } : {}),
    })),
  };
}

function statisticsOf(batch: Batch, context: SimulatorContext): Json {
  const entries = entriesOf(batch, context);
  const sum = (operations: readonly string[]) =>
    entries.filter(({ operation }) => operations.includes(operation)).reduce((total, { movedMinor }) => total + movedMinor, 0);
  const count = (operations: readonly string[]) => entries.filter(({ operation }) => operations.includes(operation)).length;
  const charged = sum(['sale', 'auth']) + (context.quirks.has('wrong-statistics') ? 1 : 0);
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

const entriesOf = (batch: Batch, context: SimulatorContext) =>
  batch.references.flatMap((reference) => context.ledger.find(reference) ?? []);

function paged(entries: readonly Entry[], { sorting, paging }: Listed): Report {
  const limit = Number(paging?.limit ?? 1_000);
  const offset = Number(paging?.offset ?? 1);
  const sorted = String(sorting?.orderDescending) === 'true' ? entries.toReversed() : entries;
  const page = sorted.slice((offset - 1) * limit, offset * limit);
  if (entries.length === 0) return null;
  if (page.length === 0) return { refused: 'E00094', message: 'The specified offset is out of range.' };
  return { transactions: page.map(lineOf), totalNumInResultSet: entries.length };
}

function lineOf(entry: Entry): Json {
  return {
    transId: entry.reference,
    submitTimeUTC: entry.at,
    submitTimeLocal: entry.at.slice(0, 19),
    transactionStatus: statusOf(entry),
    invoiceNumber: entry.ourReference,
    firstName: entry.details.firstName,
    accountType: entry.method === 'card' ? 'Visa' : 'eCheck',
    accountNumber: `XXXX${entry.last4}`,
    settleAmount: Number(textOfCents(entry.movedMinor)),
    marketType: 'MOTO',
    hasReturnedItems: entry.returned !== undefined,
    hasReturnedItemsSpecified: true,
  };
}

const TYPES: Readonly<Partial<Record<Entry['operation'], string>>> = {
  sale: 'authCaptureTransaction',
  auth: 'authOnlyTransaction',
  refund: 'refundTransaction',
  credit: 'refundTransaction',
};

function statusOf(entry: Entry): string {
  const isOut = entry.operation === 'refund' || entry.operation === 'credit';
  switch (entry.state) {
    case 'authorized':
      return entry.details.response === '2' || entry.details.response === '3' ? 'couldNotVoid' : 'authorizedPendingCapture';
    case 'captured':
      return isOut ? 'refundPendingSettlement' : 'capturedPendingSettlement';
    case 'settled':
      if (entry.returned) return 'returnedItem';
      if (entry.disputed) return entry.disputed === 'reversed' ? 'chargebackReversal' : 'chargeback';
      return isOut ? 'refundSettledSuccessfully' : 'settledSuccessfully';
    case 'voided':
      return 'voided';
    case 'held':
      return 'FDSPendingReview';
    case 'declined':
      return entry.details.response === '4' ? 'failedReview' : 'declined';
    default:
      return 'generalError';
  }
}

/** The issuer's code as in the response. */
export const codeOf = ({ reference }: Entry): string => `A${reference.slice(-5)}`;
/** The card network's name of the card brand. */
export const networkOf = ({ reference }: Entry): string => `NET${reference}`;
