import type { Currency } from '#core/kernel';
import type { ChargeRequest, Connector, StatusInquiry } from '../connector.ts';
import { declinedBy, meaningOf } from './answers.ts';
import type { Client } from './client.ts';
import { avsOf, cvvOf, RETURN_ACTIONS, STANDINGS } from './mapping.ts';
import { amountOf } from './money.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

type Found = Awaited<ReturnType<Connector['inquire']>>;

/** Time that a new transaction may need to appear in queries, which is not documented. Before it, a missing transaction proves nothing. */
const VISIBLE_WITHIN_MS = 15 * 60_000;
/** A question that was given up may still be at work there for so long. */
const AT_WORK_WITHIN_MS = 2 * 60_000;
const OURS: ReadonlySet<string> = new Set(['sale', 'auth', 'credit', 'refund']);

/** Inquires about the outcome of an attempt by its original payment, or by our reference. Moves no money. */
export async function inquire(client: Client, of: StatusInquiry, currency: Currency): Promise<Found> {
  const { sent } = of;
  if (sent?.original && sent.operation !== 'refund') {
    const found = await lookUp(client, { transaction_id: sent.original.reference });
    if (found.kind === 'not-found')
      return { kind: 'unknown', cause: 'The processor does not show the payment that this is about.', alert: 'unknown-original' };
    return found.kind === 'found' ? aboutOriginal(found.transaction, of, currency) : found;
  }
  const found = await lookUp(client, { order_id: of.processorRef });
  if (found.kind === 'not-found') return notYet(of, VISIBLE_WITHIN_MS);
  return found.kind === 'found' ? standingOf(client, found.transaction, of, currency) : found;
}

type Hit = { readonly kind: 'found'; readonly transaction: Element } | Extract<Found, { kind: 'not-found' | 'unknown' }>;

/** The one transaction that fits; several are for a person to look at. */
export async function lookUp(client: Client, by: { readonly order_id: string } | { readonly transaction_id: string }): Promise<Hit> {
  const [[name, value] = ['', '']] = Object.entries(by);
  // Without a name to look for they would list everything.
  if (value === '') return { kind: 'unknown', cause: 'There is no reference to look for.', alert: 'unknown-original' };
  const heard = await client.query(by);
  if (heard.kind !== 'answer') return { kind: 'unknown', cause: heard.reason };
  const [transaction, ...others] = childrenOf(heard.root, 'transaction');
  if (others.length > 0)
    return { kind: 'unknown', cause: 'The processor has several payments under this reference.', alert: 'several-found' };
  if (transaction === undefined) return { kind: 'not-found' };
  const isIt = textOf(transaction, name) === value;
  return isIt ? { kind: 'found', transaction } : { kind: 'unknown', cause: 'The processor answered about another payment.' };
}

/** Period that the processor's duplicate check is assumed to cover. */
const TWIN_WITHIN_MS = 86_400_000;

/**
 * Returns true if the processor shows another payment with the same contents. An attempt refused as its duplicate was certainly not
 * accepted; without such a payment, the attempt may be its own duplicate.
 */
export async function hasTwin(client: Client, { processorRef, source, amount }: ChargeRequest): Promise<boolean> {
  const last4 = (source.kind === 'card' ? source.number : source.accountNumber).slice(-4);
  const heard = await client.query({
    ...(source.kind === 'card' ? { cc_number: last4 } : { transaction_type: 'ck' }),
    date_search: 'created',
    start_date: stampOf(new Date(Date.now() - TWIN_WITHIN_MS).toISOString()),
  });
  if (heard.kind !== 'answer') return false;
  return childrenOf(heard.root, 'transaction').some((transaction) => {
    const own = actionsOf(transaction).find((action) => OURS.has(typeOf(action)));
    const isSameSource = (textOf(transaction, source.kind === 'card' ? 'cc_number' : 'check_account') ?? '').endsWith(last4);
    const isSameAmount = amountOf(textOf(own, 'amount'), amount.currency)?.minor === amount.minor;
    return isSameSource && isSameAmount && own !== undefined && isDone(own) && textOf(transaction, 'order_id') !== processorRef;
  });
}

/** Formats a time as the processor does: UTC, to the second. */
export const stampOf = (time: string): string => time.replace(/\D/g, '').slice(0, 14);

/** A missing transaction may still be on its way. The wait ends only if the start of the attempt is known. */
function notYet({ sent }: StatusInquiry, withinMs: number): Found {
  if (sent !== undefined && Date.now() - Date.parse(sent.at) >= withinMs) return { kind: 'not-found' };
  return { kind: 'unknown', cause: 'The processor does not show it, which proves nothing yet.', isNotYetShown: true };
}

export const actionsOf = (transaction: Element): Element[] => childrenOf(transaction, 'action');
export const typeOf = (action: Element): string => textOf(action, 'action_type') ?? '';
const isDone = (action: Element): boolean => textOf(action, 'success') === '1';

/** A capture or void makes no transaction of its own: the actions of the payment show its effect. */
function aboutOriginal(transaction: Element, of: StatusInquiry, currency: Currency): Found {
  const { sent } = of;
  const reference = textOf(transaction, 'transaction_id');
  const standing = STANDINGS[textOf(transaction, 'condition') ?? ''];
  if (sent === undefined || reference === undefined || standing === undefined) return atALoss();
  if (sent.operation === 'void') return standing === 'voided' ? { kind: 'approved', reference } : notYet(of, AT_WORK_WITHIN_MS);
  const capture = actionsOf(transaction).find((action) => typeOf(action) === 'capture' && isDone(action));
  if (capture === undefined) return notYet(of, AT_WORK_WITHIN_MS);
  if (amountOf(textOf(capture, 'amount'), currency)?.minor !== sent.amount.minor)
    return { kind: 'unknown', cause: 'Another amount was captured.', alert: 'other-amount' };
  return { kind: 'approved', reference };
}

/** Returns the outcome of a new payment or refund. */
function standingOf(client: Client, transaction: Element, { sent }: StatusInquiry, currency: Currency): Found {
  const actions = actionsOf(transaction);
  const own = actions.find((action) => OURS.has(typeOf(action)));
  const reference = textOf(transaction, 'transaction_id');
  const standing = STANDINGS[textOf(transaction, 'condition') ?? ''];
  if (own === undefined || reference === undefined || standing === undefined) return atALoss();
  if (sent !== undefined && typeOf(own) !== sent.operation)
    return { kind: 'unknown', cause: 'The processor has another operation under this reference.', alert: 'other-amount' };
  if (sent !== undefined && amountOf(textOf(own, 'amount'), currency)?.minor !== sent.amount.minor)
    return { kind: 'unknown', cause: 'The processor has it with another amount.', alert: 'other-amount' };
  const checks = { avsResponse: avsOf(textOf(transaction, 'avs_response')), cvvResponse: cvvOf(textOf(transaction, 'csc_response')) };
  const approved: Found = {
    kind: 'approved',
    reference,
    authCode: textOf(transaction, 'authorization_code'),
    ...checks,
    chainReference: reference,
  };
  if (isDone(own) && actions.some((action) => RETURN_ACTIONS.has(typeOf(action)))) return approved;
  switch (standing) {
    case 'authorized':
      return isDone(own) && typeOf(own) === 'auth' ? approved : atALoss();
    case 'captured':
      return isDone(own) ? approved : atALoss();
    case 'voided':
      return { kind: 'declined', declineCode: 'card_declined', declineReason: 'It was voided at the processor.', ...checks };
    case 'declined':
      return { ...failedBy(client, own), ...checks };
    case 'open':
      return { kind: 'pending', reference, reason: 'in_progress' };
    default:
      return { kind: 'not-sent', reason: 'The processor gave it up.', retry: 'error' };
  }
}

/** It certainly failed, whatever the code, which only gives the reason. */
function failedBy(client: Client, action: Element): Extract<Found, { kind: 'declined' }> {
  const text = textOf(action, 'response_text') ?? '';
  const meaning = meaningOf(textOf(action, 'response_code') ?? '', text);
  if (meaning.is === 'declined') return declinedBy(meaning, client.clean(text));
  return { kind: 'declined', declineCode: 'card_declined', declineReason: client.clean(text) || 'The payment was declined.' };
}

function atALoss(): Extract<Found, { kind: 'unknown' }> {
  return { kind: 'unknown', cause: 'The processor cannot say what became of it.', alert: 'processor-at-a-loss' };
}
