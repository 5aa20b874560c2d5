import { type Currency, formatDecimal } from '#core/kernel';
import type { Connector, Outcome, StatusInquiry } from '../connector.ts';
import { authCodeOf, type Client, type Json, referenceOf, TIMEOUT_MS, textOf, timeOf } from './client.ts';
import { batchesWithin, type Doubt, detailsOf, pages } from './lists.ts';
import { avsOf, cvvOf, meaningOfReason, standingOf } from './mapping.ts';
import { minorOf } from './money.ts';

type Found = Awaited<ReturnType<Connector['inquire']>>;

/**
 * Time that a new payment may need to appear in the processor's lists, which is not documented. Before it, a missing payment proves
 * nothing.
 */
const VISIBLE_WITHIN_MS = 15 * 60_000;
/** Time after which a change must be visible in the payment, because its request can no longer be under way. */
const CHANGED_WITHIN_MS = 2 * TIMEOUT_MS;
/** Largest difference between the processor's clock and ours. */
const SKEW_MS = 5 * 60_000;
const NEWEST_FIRST = { orderBy: 'submitTimeUTC', orderDescending: true } as const;

/**
 * Inquires about the outcome of an attempt by its original payment, or by searching the processor's lists for our reference. Moves no
 * money.
 */
export async function inquire(client: Client, of: StatusInquiry, currency: Currency): Promise<Found> {
  const { sent } = of;
  if (sent === undefined) return doubt('Without the time of sending, the processor’s lists cannot be searched.');
  const sentMs = Date.parse(sent.at);
  if (sent.original !== undefined && sent.operation !== 'refund')
    return aboutOriginal(client, sent.operation, sent.original.reference, sent.amount.minor, sentMs, currency);
  const hit = await find(client, of.processorRef, sentMs);
  if (hit.kind !== 'found') return hit;
  const details = await detailsOf(client, hit.transId);
  return 'kind' in details ? details : asItStands(client, details.transaction, sent.amount.minor, currency);
}

const doubt = (cause: string): Doubt => ({ kind: 'unknown', cause });
const notYet = (cause: string): Doubt => ({ kind: 'unknown', cause, isNotYetShown: true });

/** A capture or void makes no transaction of its own: the payment shows its effect. */
async function aboutOriginal(
  client: Client,
  operation: string,
  reference: string,
  amountMinor: number,
  sentMs: number,
  currency: Currency,
): Promise<Found> {
  const details = await detailsOf(client, reference);
  if ('kind' in details) return details;
  const { transaction } = details;
  const standing = standingOf(textOf(transaction.transactionStatus));
  if (standing === undefined || standing === 'lost' || standing === 'not-voided') return atALoss(client, transaction);
  const approved: Outcome = { kind: 'approved', reference };
  if (operation === 'void' && (standing === 'voided' || standing === 'declined' || standing === 'fraud')) return approved;
  if (operation === 'capture' && (standing === 'captured' || standing === 'settled' || standing === 'returned'))
    return minorOf(transaction.settleAmount, currency) === amountMinor
      ? approved
      : { kind: 'unknown', cause: 'Another amount was captured.', alert: 'other-amount' };
  if (Date.now() - sentMs < CHANGED_WITHIN_MS) return notYet('The processor shows no change, which proves nothing yet.');
  return { kind: 'not-found' };
}

type Hit = { kind: 'found'; transId: string } | { kind: 'not-found' } | Doubt;

/** Searches the unsettled transactions, then those held for review, then the batches settled since. */
async function find(client: Client, processorRef: string, sentMs: number): Promise<Hit> {
  const sinceMs = sentMs - SKEW_MS;
  for (const status of ['any', 'pendingApproval']) {
    const hit = await search(client, 'getUnsettledTransactionListRequest', { status }, processorRef, sinceMs);
    if (hit.kind !== 'not-found') return hit;
  }
  const batches = await batchesWithin(client, sinceMs, Date.now() + SKEW_MS);
  if (!Array.isArray(batches)) return batches;
  for (const { id } of batches) {
    const hit = await search(client, 'getTransactionListRequest', { batchId: id }, processorRef, 0);
    if (hit.kind !== 'not-found') return hit;
  }
  if (Date.now() - sentMs < VISIBLE_WITHIN_MS) return notYet('The processor does not show it, which proves nothing yet.');
  return { kind: 'not-found' };
}

async function search(client: Client, operation: string, members: Json, processorRef: string, sinceMs: number): Promise<Hit> {
  const hits = new Set<string>();
  for await (const page of pages(client, operation, members, NEWEST_FIRST)) {
    if (!Array.isArray(page)) return page;
    for (const item of page) if (textOf(item.invoiceNumber) === processorRef) hits.add(textOf(item.transId) ?? '');
    const last = timeOf(page.at(-1)?.submitTimeUTC);
    if (last !== undefined && last < sinceMs) break;
  }
  if (hits.size > 1) return { kind: 'unknown', cause: 'The processor has several payments under this reference.', alert: 'several-found' };
  const [transId] = hits;
  return transId === undefined ? { kind: 'not-found' } : { kind: 'found', transId };
}

/** Returns the outcome of a new payment or refund. */
function asItStands(client: Client, transaction: Json, askedMinor: number, currency: Currency): Outcome {
  const reference = referenceOf(transaction.transId);
  if (reference === undefined) return doubt('The processor has no name for it.');
  const meaning = meaningOfReason(textOf(transaction.responseReasonCode) ?? '');
  const checks = { avsResponse: avsOf(textOf(transaction.AVSResponse)), cvvResponse: cvvOf(textOf(transaction.cardCodeResponse)) };
  switch (standingOf(textOf(transaction.transactionStatus))) {
    case 'authorized':
    case 'captured':
    case 'settled':
    case 'refund':
    case 'refund-settled':
    case 'returned': {
      if (meaning?.is === 'partial') return heldInPart(reference);
      const minor = minorOf(transaction.authAmount, currency) ?? minorOf(transaction.settleAmount, currency);
      if (minor !== askedMinor) {
        const asked = formatDecimal({ minor: askedMinor, currency });
        return { kind: 'unknown', cause: `The processor has it with another amount than ${asked}.`, alert: 'other-amount' };
      }
      return {
        kind: 'approved',
        reference,
        authCode: authCodeOf(transaction.authCode),
        ...checks,
        chainReference: textOf(transaction.networkTransId),
      };
    }
    case 'declined':
      return {
        kind: 'declined',
        ...(meaning?.is === 'declined' || meaning?.is === 'declined-but-held'
          ? { declineCode: meaning.code, declineReason: meaning.reason }
          : { declineCode: 'card_declined', declineReason: 'The payment was declined.' }),
        ...checks,
      };
    case 'voided':
      if (meaning?.is === 'declined' || meaning?.is === 'declined-but-held')
        return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason, ...checks };
      return { kind: 'not-sent', reason: 'It was approved and voided at the processor.', retry: 'error' };
    case 'not-voided':
      if (meaning?.is === 'declined-but-held')
        return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason, ...checks, heldUnder: reference };
      return atALoss(client, transaction);
    case 'fraud':
      return { kind: 'declined', declineCode: 'fraud_suspected', declineReason: 'The payment was stopped as suspicious.', ...checks };
    case 'held':
      return { kind: 'pending', reference, reason: 'held_for_review' };
    default:
      return atALoss(client, transaction);
  }
}

function heldInPart(heldUnder: string): Outcome {
  return { kind: 'declined', declineCode: 'card_declined', declineReason: 'Only a part of the amount was approved.', heldUnder };
}

function atALoss(client: Client, transaction: Json): Doubt {
  const status = client.clean(textOf(transaction.transactionStatus) ?? 'nothing');
  return { kind: 'unknown', cause: `The processor says of the payment: ${status}.`, alert: 'processor-at-a-loss' };
}
