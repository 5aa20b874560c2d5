import type { Currency, Money } from '#core/kernel';
import { last4Of } from '#core/records/vault';
import type { ChargeRequest, Connector, StatusInquiry } from '../connector.ts';
import { amountOf } from '../decimal-amount.ts';
import { authCodeFrom, declinedBy, meaningOf, referenceFrom } from './answers.ts';
import type { Client } from './client.ts';
import { avsOf, cvvOf, RETURN_ACTIONS, TRANSACTION_STATES } from './mapping.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

type InquiryResult = Awaited<ReturnType<Connector['inquire']>>;

/** Time that a new transaction may need to appear in queries, which is not documented. Before it, a missing transaction proves nothing. */
export const VISIBLE_WITHIN_MS = 15 * 60_000;
/** Time in which the processor may still be working on a request that timed out. */
const IN_PROGRESS_WITHIN_MS = 2 * 60_000;
const PAYING_OUT: ReadonlySet<string> = new Set(['refund', 'credit']);
const OWN_ACTIONS: ReadonlySet<string> = new Set(['sale', 'auth', ...PAYING_OUT]);

/**
 * Inquires about the outcome of an attempt by its original payment, or by our reference. Moves no money. With `reportsAmount`, an approval of another amount is
 * reported with it, because a part may be approved, and a card reader can change the amount; otherwise it is an unknown outcome.
 */
export async function inquire(
  client: Client,
  inquiry: StatusInquiry,
  currency: Currency,
  { reportsAmount = inquiry.sent?.allowsPartialApproval === true }: InquiryOptions = {},
): Promise<InquiryResult> {
  const { sent } = inquiry;
  if (sent?.original && sent.operation !== 'refund') {
    const result = await findTransaction(client, { transaction_id: sent.original.reference });
    if (result.kind === 'not-found')
      return { kind: 'unknown', cause: 'The processor does not show the original payment.', alert: 'unknown-original' };
    return result.kind === 'found' ? outcomeFromOriginal(result.transaction, inquiry, currency) : result;
  }
  const result = await findTransaction(client, { order_id: inquiry.processorRef });
  if (result.kind === 'not-found') return notShownYet(sent, VISIBLE_WITHIN_MS);
  return result.kind === 'found' ? outcomeFromTransaction(client, result.transaction, inquiry, currency, reportsAmount) : result;
}

interface InquiryOptions {
  readonly reportsAmount?: boolean;
}

type LookupResult = { readonly kind: 'found'; readonly transaction: Element } | Extract<InquiryResult, { kind: 'not-found' | 'unknown' }>;

/** Returns the transaction that meets the criteria. Several are an unknown outcome, for a person. */
export async function findTransaction(
  client: Client,
  criteria: { readonly order_id: string } | { readonly transaction_id: string },
): Promise<LookupResult> {
  const [[name, value] = ['', '']] = Object.entries(criteria);
  // Without a value, the processor would list everything.
  if (value === '') return { kind: 'unknown', cause: 'There is no reference for the inquiry.', alert: 'unknown-original' };
  const response = await client.query(criteria);
  if (response.kind !== 'answer') return { kind: 'unknown', cause: response.reason };
  const [transaction, ...others] = childrenOf(response.root, 'transaction');
  if (others.length > 0)
    return { kind: 'unknown', cause: 'The processor has several payments under this reference.', alert: 'several-found' };
  if (transaction === undefined) return { kind: 'not-found' };
  const isMatch = textOf(transaction, name) === value;
  return isMatch ? { kind: 'found', transaction } : { kind: 'unknown', cause: 'The processor responded with another payment.' };
}

/** Period that the processor's duplicate check is assumed to cover. */
const DUPLICATE_WITHIN_MS = 86_400_000;

/**
 * Returns true if the processor shows another payment with the same contents. An attempt refused as its duplicate was certainly not
 * accepted; without such a payment, the attempt may be its own duplicate.
 */
export async function hasDuplicate(client: Client, { processorRef, source, amount }: ChargeRequest): Promise<boolean> {
  const last4 = last4Of(source);
  const isBank = source.kind === 'ach';
  const response = await client.query({
    ...(isBank ? { transaction_type: 'ck' } : { cc_number: last4 }),
    date_search: 'created',
    start_date: timestampOf(new Date(Date.now() - DUPLICATE_WITHIN_MS).toISOString()),
  });
  if (response.kind !== 'answer') return false;
  return childrenOf(response.root, 'transaction').some((transaction) => {
    const ownAction = actionsOf(transaction).find((action) => OWN_ACTIONS.has(typeOf(action)));
    const isSameSource = (textOf(transaction, isBank ? 'check_account' : 'cc_number') ?? '').endsWith(last4);
    if (ownAction === undefined) return false;
    const isSameAmount = amountIn(transaction, ownAction, amount.currency)?.minor === amount.minor;
    return isSameSource && isSameAmount && isDone(ownAction) && textOf(transaction, 'order_id') !== processorRef;
  });
}

/** Formats a time as the processor does: UTC, to the second. */
export const timestampOf = (time: string): string => time.replace(/\D/g, '').slice(0, 14);

/** Returns the outcome if a transaction or action is missing: unknown until a time after the request, because it may appear later; then `not-found`. */
export function notShownYet(sent: { readonly at: string } | undefined, withinMs: number): InquiryResult {
  if (sent !== undefined && Date.now() - Date.parse(sent.at) >= withinMs) return { kind: 'not-found' };
  return { kind: 'unknown', cause: 'The processor does not show the payment yet.', isNotYetShown: true };
}

export const actionsOf = (transaction: Element): Element[] => childrenOf(transaction, 'action');
export const typeOf = (action: Element): string => textOf(action, 'action_type') ?? '';
export const isDone = (action: Element): boolean => textOf(action, 'success') === '1';
export const paysOut = (transaction: Element): boolean => actionsOf(transaction).some((action) => PAYING_OUT.has(typeOf(action)));

/** Returns the amount of an action, which may be negative if it pays money out; undefined if the transaction has another currency. */
function amountIn(transaction: Element, action: Element, currency: Currency): Money | undefined {
  if ((textOf(transaction, 'currency') ?? currency) !== currency) return undefined;
  const text = textOf(action, 'amount');
  return amountOf(PAYING_OUT.has(typeOf(action)) ? text?.replace(/^-/, '') : text, currency);
}

/** Returns the outcome of a capture or void from the actions of its payment, because it creates no transaction of its own. */
function outcomeFromOriginal(transaction: Element, inquiry: StatusInquiry, currency: Currency): InquiryResult {
  const { sent } = inquiry;
  const reference = referenceFrom(textOf(transaction, 'transaction_id'));
  const state = TRANSACTION_STATES[textOf(transaction, 'condition') ?? ''];
  if (sent === undefined || reference === undefined || state === undefined) return undetermined();
  if (sent.operation === 'void') return state === 'voided' ? { kind: 'approved', reference } : notShownYet(sent, IN_PROGRESS_WITHIN_MS);
  const capture = actionsOf(transaction).find((action) => typeOf(action) === 'capture' && isDone(action));
  if (capture === undefined) return notShownYet(sent, IN_PROGRESS_WITHIN_MS);
  if (amountIn(transaction, capture, currency)?.minor !== sent.amount.minor)
    return { kind: 'unknown', cause: 'A different amount was captured.', alert: 'other-amount' };
  return { kind: 'approved', reference };
}

/** Returns the outcome of a new payment or refund. */
function outcomeFromTransaction(
  client: Client,
  transaction: Element,
  { sent }: StatusInquiry,
  currency: Currency,
  reportsAmount: boolean,
): InquiryResult {
  const actions = actionsOf(transaction);
  const ownAction = actions.find((action) => OWN_ACTIONS.has(typeOf(action)));
  const reference = referenceFrom(textOf(transaction, 'transaction_id'));
  const state = TRANSACTION_STATES[textOf(transaction, 'condition') ?? ''];
  if (ownAction === undefined || reference === undefined || state === undefined) return undetermined();
  if (sent !== undefined && typeOf(ownAction) !== sent.operation)
    return { kind: 'unknown', cause: 'The processor has another operation with this reference.', alert: 'other-amount' };
  const recorded = amountIn(transaction, ownAction, currency);
  const isReported = reportsAmount && recorded !== undefined;
  if (sent !== undefined && !isReported && recorded?.minor !== sent.amount.minor)
    return { kind: 'unknown', cause: 'The amount at the processor differs.', alert: 'other-amount' };
  const checks = { avsResponse: avsOf(textOf(transaction, 'avs_response')), cvvResponse: cvvOf(textOf(transaction, 'csc_response')) };
  const approved: InquiryResult = {
    kind: 'approved',
    reference,
    authCode: authCodeFrom(textOf(transaction, 'authorization_code')),
    ...checks,
    credentialReference: reference,
    ...(isReported && { charged: { amount: recorded } }),
  };
  if (isDone(ownAction) && actions.some((action) => RETURN_ACTIONS.has(typeOf(action)))) return approved;
  switch (state) {
    case 'authorized':
      return isDone(ownAction) && typeOf(ownAction) === 'auth' ? approved : undetermined();
    case 'captured':
      return isDone(ownAction) ? approved : undetermined();
    case 'voided':
      return { kind: 'declined', declineCode: 'card_declined', declineReason: 'The payment was voided at the processor.', ...checks };
    case 'declined':
      return { ...failedBy(client, ownAction), ...checks };
    case 'open':
      return { kind: 'pending', reference, reason: 'in_progress' };
    default:
      return { kind: 'not-sent', reason: 'The processor abandoned the payment.', retry: 'error' };
  }
}

/** Returns the decline of an action that certainly failed. Its code only gives the reason. */
export function failedBy(client: Client, action: Element): Extract<InquiryResult, { kind: 'declined' }> {
  const text = textOf(action, 'response_text') ?? '';
  const meaning = meaningOf(textOf(action, 'response_code') ?? '', text);
  if (meaning.kind === 'declined') return declinedBy(meaning, client.clean(text));
  return { kind: 'declined', declineCode: 'card_declined', declineReason: client.clean(text) || 'The payment was declined.' };
}

export function undetermined(): Extract<InquiryResult, { kind: 'unknown' }> {
  return { kind: 'unknown', cause: 'The processor cannot determine the outcome.', alert: 'processor-at-a-loss' };
}
