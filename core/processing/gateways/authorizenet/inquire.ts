import { type Currency, formatDecimal } from '#core/kernel';
import type { Connector, StatusInquiry } from '../connector.ts';
import type { Outcome } from '../outcome.ts';
import { authCodeOf, type Client, type Json, referenceOf, TIMEOUT_MS, textOf, timeOf } from './client.ts';
import { batchesWithin, detailsOf, pages, type UnknownOutcome } from './lists.ts';
import { avsOf, cvvOf, meaningOfReason, SETTLED_STATES, type TransactionState, transactionStateOf } from './mapping.ts';
import { minorOf } from './money.ts';

type InquiryResult = Awaited<ReturnType<Connector['inquire']>>;
type Sent = NonNullable<StatusInquiry['sent']>;

/**
 * Time that a new payment may need to appear in the processor's lists, which is not documented. Before it, a missing payment proves
 * nothing.
 */
const VISIBLE_WITHIN_MS = 15 * 60_000;
/** Time after which a change must be visible in the payment, because its request can no longer be under way. */
const CHANGED_WITHIN_MS = 2 * TIMEOUT_MS;
/** Largest difference between the processor's clock and ours. */
const SKEW_MS = 5 * 60_000;
/** Operations of transactions in states that others do not have. */
const OPERATIONS_IN: Readonly<Partial<Record<TransactionState, readonly Sent['operation'][]>>> = {
  authorized: ['auth'],
  refund: ['refund', 'credit'],
  'refund-settled': ['refund', 'credit'],
};
const NEWEST_FIRST = { orderBy: 'submitTimeUTC', orderDescending: true } as const;

/**
 * Inquires about the outcome of an attempt by its original payment, or by searching the processor's lists for our reference. Moves no
 * money.
 */
export async function inquire(client: Client, inquiry: StatusInquiry, currency: Currency): Promise<InquiryResult> {
  const { sent } = inquiry;
  if (sent === undefined) return unknownOutcome('Without the time of the request, the lists of the processor cannot be searched.');
  const sentMs = Date.parse(sent.at);
  if (sent.original !== undefined && sent.operation !== 'refund')
    return outcomeFromOriginal(client, sent.operation, sent.original.reference, sent.amount.minor, sentMs, currency);
  const result = await find(client, inquiry.processorRef, sentMs);
  if (result.kind !== 'found') return result;
  const details = await detailsOf(client, result.transId);
  return 'kind' in details ? details : outcomeFromTransaction(client, details.transaction, sent, currency);
}

const unknownOutcome = (cause: string): UnknownOutcome => ({ kind: 'unknown', cause });
const notShownYet = (cause: string): UnknownOutcome => ({ kind: 'unknown', cause, isNotYetShown: true });

/** Returns the outcome of a capture or void from its payment, because it creates no transaction of its own. */
async function outcomeFromOriginal(
  client: Client,
  operation: string,
  reference: string,
  amountMinor: number,
  sentMs: number,
  currency: Currency,
): Promise<InquiryResult> {
  const details = await detailsOf(client, reference);
  if ('kind' in details) return details;
  const { transaction } = details;
  const state = transactionStateOf(textOf(transaction.transactionStatus));
  if (state === undefined || state === 'lost' || state === 'not-voided') return undetermined(client, transaction);
  const approved: Outcome = { kind: 'approved', reference };
  if (operation === 'void' && (state === 'voided' || state === 'declined' || state === 'fraud')) return approved;
  if (operation === 'capture' && (state === 'captured' || SETTLED_STATES.has(state)))
    return minorOf(transaction.settleAmount, currency) === amountMinor
      ? approved
      : { kind: 'unknown', cause: 'A different amount was captured.', alert: 'other-amount' };
  if (Date.now() - sentMs < CHANGED_WITHIN_MS) return notShownYet('The processor does not show the change yet.');
  return { kind: 'not-found' };
}

type SearchResult = { kind: 'found'; transId: string } | { kind: 'not-found' } | UnknownOutcome;

/** Searches the lists of the processor until one has our reference. */
async function find(client: Client, processorRef: string, sentMs: number): Promise<SearchResult> {
  for await (const found of idsByList(client, processorRef, sentMs)) {
    if ('kind' in found) return found;
    const [transId, ...others] = found;
    if (others.length > 0)
      return { kind: 'unknown', cause: 'The processor has several payments under this reference.', alert: 'several-found' };
    if (transId !== undefined) return { kind: 'found', transId };
  }
  if (Date.now() - sentMs < VISIBLE_WITHIN_MS) return notShownYet('The processor does not show the payment yet.');
  return { kind: 'not-found' };
}

/**
 * Yields the IDs of the transactions with our reference, list by list: those held for review, the unsettled ones, and each batch settled since. A payment
 * moves through the lists in this order, so that one that moves during the search is not missed.
 */
async function* idsByList(client: Client, processorRef: string, sentMs: number): AsyncGenerator<ReadonlySet<string> | UnknownOutcome> {
  const sinceMs = sentMs - SKEW_MS;
  for (const status of ['pendingApproval', 'any'])
    yield await idsIn(client, 'getUnsettledTransactionListRequest', { status }, processorRef, sinceMs);
  const batches = await batchesWithin(client, sinceMs, Date.now() + SKEW_MS);
  if (!Array.isArray(batches)) return yield batches;
  for (const { id } of batches) yield await idsIn(client, 'getTransactionListRequest', { batchId: id }, processorRef, 0);
}

/** Returns the IDs of the transactions with our reference in one list of the processor. */
async function idsIn(
  client: Client,
  operation: string,
  members: Json,
  processorRef: string,
  sinceMs: number,
): Promise<ReadonlySet<string> | UnknownOutcome> {
  const hits = new Set<string>();
  for await (const page of pages(client, operation, members, NEWEST_FIRST)) {
    if (!Array.isArray(page)) return page;
    for (const item of page) if (textOf(item.invoiceNumber) === processorRef) hits.add(textOf(item.transId) ?? '');
    const last = timeOf(page.at(-1)?.submitTimeUTC);
    if (last !== undefined && last < sinceMs) break;
  }
  return hits;
}

/** Returns the IDs of all transactions with our reference. */
export async function transactionIdsOf(
  client: Client,
  processorRef: string,
  sentMs: number,
): Promise<ReadonlySet<string> | UnknownOutcome> {
  const ids = new Set<string>();
  for await (const found of idsByList(client, processorRef, sentMs)) {
    if ('kind' in found) return found;
    for (const id of found) ids.add(id);
  }
  return ids;
}

/** Returns the outcome of a new payment or refund. */
function outcomeFromTransaction(client: Client, transaction: Json, { operation, amount }: Sent, currency: Currency): Outcome {
  const reference = referenceOf(transaction.transId);
  if (reference === undefined) return unknownOutcome('The processor returned no ID for the payment.');
  const meaning = meaningOfReason(textOf(transaction.responseReasonCode) ?? '');
  const checks = { avsResponse: avsOf(textOf(transaction.AVSResponse)), cvvResponse: cvvOf(textOf(transaction.cardCodeResponse)) };
  const state = transactionStateOf(textOf(transaction.transactionStatus));
  switch (state) {
    case 'authorized':
    case 'captured':
    case 'settled':
    case 'refund':
    case 'refund-settled':
    case 'returned':
    case 'charged-back':
    case 'chargeback-reversed': {
      if (meaning?.kind === 'partial') return partialApproval(reference);
      if (OPERATIONS_IN[state]?.includes(operation) === false)
        return { kind: 'unknown', cause: 'The processor has another operation with this reference.', alert: 'other-amount' };
      const minor = minorOf(transaction.authAmount, currency) ?? minorOf(transaction.settleAmount, currency);
      if (minor !== amount.minor)
        return { kind: 'unknown', cause: `The amount at the processor differs from ${formatDecimal(amount)}.`, alert: 'other-amount' };
      return {
        kind: 'approved',
        reference,
        authCode: authCodeOf(transaction.authCode),
        ...checks,
        credentialReference: textOf(transaction.networkTransId),
      };
    }
    case 'declined':
      return {
        kind: 'declined',
        ...(meaning?.kind === 'declined' || meaning?.kind === 'declined-but-held'
          ? { declineCode: meaning.code, declineReason: meaning.reason }
          : { declineCode: 'card_declined', declineReason: 'The payment was declined.' }),
        ...checks,
      };
    case 'voided':
      if (meaning?.kind === 'declined' || meaning?.kind === 'declined-but-held')
        return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason, ...checks };
      return { kind: 'not-sent', reason: 'The payment was approved and then voided at the processor.', retry: 'error' };
    case 'not-voided':
      if (meaning?.kind === 'declined-but-held')
        return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason, ...checks, referenceToVoid: reference };
      return undetermined(client, transaction);
    case 'fraud':
      return { kind: 'declined', declineCode: 'fraud_suspected', declineReason: 'The payment was stopped as suspicious.', ...checks };
    case 'held':
      return { kind: 'pending', reference, reason: 'held_for_review' };
    default:
      return undetermined(client, transaction);
  }
}

function partialApproval(reference: string): Outcome {
  return {
    kind: 'declined',
    declineCode: 'card_declined',
    declineReason: 'Only a part of the amount was approved.',
    referenceToVoid: reference,
  };
}

function undetermined(client: Client, transaction: Json): UnknownOutcome {
  const status = client.clean(textOf(transaction.transactionStatus) ?? 'none');
  return { kind: 'unknown', cause: `Status of the payment at the processor: ${status}.`, alert: 'processor-at-a-loss' };
}
