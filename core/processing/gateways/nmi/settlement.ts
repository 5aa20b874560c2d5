import { type Currency, type Money, money, parseCurrency } from '#core/kernel';
import type { ReportPeriod, ReturnedItem, SettlementLine } from '../connector.ts';
import { amountOf } from '../decimal-amount.ts';
import type { Client, Form } from './client.ts';
import { actionsOf, paysOut, timestampOf, typeOf } from './inquire.ts';
import { RETURN_ACTIONS } from './mapping.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

const PAGE = 500;
const PAGES_MAX = 2_000;
const NO_BATCH = '0';
const RETURN_CODE = /\bR\d{2}\b/;
/** Reason for a return without a code. */
const NO_RETURN_CODE = 'returned';

/**
 * Yields the settle actions of a period. There is no list of batches, and a transaction that changed after the period still counts, so the
 * query covers everything that changed since its start. @throws if the processor does not answer, so that no partial report is used.
 */
export async function* settlementReport(client: Client, period: ReportPeriod, currency: Currency): AsyncGenerator<SettlementLine[]> {
  for await (const transactions of changedSince(client, period.from, { condition: 'complete' }))
    yield transactions.flatMap((transaction) =>
      actionsIn(transaction, period, (type) => type === 'settle').map((settle) => lineOf(transaction, settle, currency)),
    );
}

/** Yields the bank payments returned in a period. */
export async function* returns(client: Client, period: ReportPeriod, currency: Currency): AsyncGenerator<ReturnedItem[]> {
  for await (const transactions of changedSince(client, period.from, { action_type: 'return' }))
    yield transactions.flatMap((transaction) =>
      actionsIn(transaction, period, (type) => RETURN_ACTIONS.has(type)).map((action) => returnedOf(client, transaction, action, currency)),
    );
}

function lineOf(transaction: Element, settle: Element, currency: Currency): SettlementLine {
  // An account may have processors with other currencies.
  const paidIn = textOf(transaction, 'currency');
  const batch = textOf(settle, 'processor_batch_id') ?? textOf(settle, 'batch_id');
  return {
    reference: referenceOf(transaction),
    processorRef: textOf(transaction, 'order_id') ?? '',
    kind: paysOut(transaction) ? 'refund' : 'capture',
    amount: amountOfAction(settle, paidIn === undefined ? currency : parseCurrency(paidIn)),
    at: timeOf(settle),
    batch: batch === NO_BATCH ? undefined : batch,
  };
}

function returnedOf(client: Client, transaction: Element, action: Element, currency: Currency): ReturnedItem {
  const texts = ['processor_response_code', 'response_code', 'processor_response_text', 'response_text'].map((name) =>
    textOf(action, name),
  );
  const returnCode = texts.flatMap((text) => RETURN_CODE.exec(text ?? '')?.[0] ?? [])[0] ?? NO_RETURN_CODE;
  return {
    reference: referenceOf(transaction),
    processorRef: textOf(transaction, 'order_id') ?? '',
    returnCode,
    reason: client.clean(textOf(action, 'response_text') ?? ''),
    amount: amountOfAction(action, currency),
    at: timeOf(action),
  };
}

export function actionsIn(transaction: Element, { from, to }: ReportPeriod, isWanted: (type: string) => boolean): Element[] {
  return actionsOf(transaction).filter((action) => {
    if (!isWanted(typeOf(action)) || textOf(action, 'success') !== '1') return false;
    const at = timeOf(action);
    return at >= from && at < to;
  });
}

/** Yields the transactions that changed since a time, oldest change first, page by page. A transaction that changes in the meantime moves to the end. */
export async function* changedSince(client: Client, from: string, filter: Form): AsyncGenerator<Element[]> {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await client.query({
      ...filter,
      date_search: 'updated',
      start_date: timestampOf(from),
      result_limit: String(PAGE),
      page_number: String(page),
      result_order: 'standard',
    });
    if (response.kind !== 'answer') throw new Error(response.reason);
    const transactions = childrenOf(response.root, 'transaction');
    if (transactions.length > 0) yield transactions;
    if (transactions.length < PAGE) return;
  }
  throw new Error("The processor's report exceeds the supported size.");
}

export function referenceOf(transaction: Element): string {
  const reference = textOf(transaction, 'transaction_id');
  if (reference === undefined) throw new Error('The processor reports a payment without an ID.');
  return reference;
}

export function amountOfAction(action: Element, currency: Currency): Money {
  const amount = amountOf(textOf(action, 'amount')?.replace(/^-/, ''), currency);
  if (amount === undefined) throw new Error('The processor reports a payment with an amount that cannot be read.');
  return money(amount.minor, currency);
}

/** Converts `20261122153000`, which is UTC, to ISO 8601. */
export function timeOf(action: Element): string {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(textOf(action, 'date') ?? '');
  if (!match) throw new Error('The processor reports a payment with a time that cannot be read.');
  const [, year, month, day, hour, minute, second] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
