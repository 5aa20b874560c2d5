import { type Currency, money } from '#core/kernel';
import type { ReportPeriod, ReturnedItem, SettlementLine } from '../connector.ts';
import type { Client, Form } from './client.ts';
import { actionsOf, stampOf, typeOf } from './inquire.ts';
import { RETURN_ACTIONS } from './mapping.ts';
import { amountOf } from './money.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

const PAGE = 500;
const PAGES_MAX = 2_000;
const NO_BATCH = '0';
const PAID_OUT: ReadonlySet<string> = new Set(['refund', 'credit']);
const RETURN_CODE = /\bR\d{2}\b/;
/** Reason for a return without a code. */
const UNCODED = 'returned';

/**
 * Yields the settle actions of a period. There is no list of batches, and a transaction that changed after the period still counts, so the
 * query covers everything that changed since its start. @throws if the processor does not answer, so that no partial report is used.
 */
export async function* settlementReport(client: Client, of: ReportPeriod, currency: Currency): AsyncGenerator<SettlementLine[]> {
  for await (const transactions of changedSince(client, of.from, { condition: 'complete' }))
    yield transactions.flatMap((transaction) =>
      stepsIn(transaction, of, (type) => type === 'settle').map((settle) => lineOf(transaction, settle, currency)),
    );
}

/** Yields the bank payments returned in a period. */
export async function* returns(client: Client, of: ReportPeriod, currency: Currency): AsyncGenerator<ReturnedItem[]> {
  for await (const transactions of changedSince(client, of.from, { action_type: 'return' }))
    yield transactions.flatMap((transaction) =>
      stepsIn(transaction, of, (type) => RETURN_ACTIONS.has(type)).map((step) => returnedOf(client, transaction, step, currency)),
    );
}

function lineOf(transaction: Element, settle: Element, currency: Currency): SettlementLine {
  const batch = textOf(settle, 'processor_batch_id') ?? textOf(settle, 'batch_id');
  const isOut = actionsOf(transaction).some((action) => PAID_OUT.has(typeOf(action)));
  return {
    reference: referenceOf(transaction),
    processorRef: textOf(transaction, 'order_id') ?? '',
    kind: isOut ? 'refund' : 'capture',
    amount: sumOf(settle, currency),
    at: timeOf(settle),
    batch: batch === NO_BATCH ? undefined : batch,
  };
}

function returnedOf(client: Client, transaction: Element, step: Element, currency: Currency): ReturnedItem {
  const texts = ['processor_response_code', 'response_code', 'processor_response_text', 'response_text'].map((name) => textOf(step, name));
  const returnCode = texts.flatMap((text) => RETURN_CODE.exec(text ?? '')?.[0] ?? [])[0] ?? UNCODED;
  return {
    reference: referenceOf(transaction),
    processorRef: textOf(transaction, 'order_id') ?? '',
    returnCode,
    reason: client.clean(textOf(step, 'response_text') ?? ''),
    amount: sumOf(step, currency),
    at: timeOf(step),
  };
}

function stepsIn(transaction: Element, { from, to }: ReportPeriod, isWanted: (type: string) => boolean): Element[] {
  return actionsOf(transaction).filter((action) => {
    if (!isWanted(typeOf(action)) || textOf(action, 'success') !== '1') return false;
    const at = timeOf(action);
    return at >= from && at < to;
  });
}

/** Oldest first, one page at a time; a transaction that changes in the meantime moves to the end. */
async function* changedSince(client: Client, from: string, filter: Form): AsyncGenerator<Element[]> {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const heard = await client.query({
      ...filter,
      date_search: 'updated',
      start_date: stampOf(from),
      result_limit: String(PAGE),
      page_number: String(page),
      result_order: 'standard',
    });
    if (heard.kind !== 'answer') throw new Error(heard.reason);
    const transactions = childrenOf(heard.root, 'transaction');
    if (transactions.length > 0) yield transactions;
    if (transactions.length < PAGE) return;
  }
  throw new Error("The processor's report exceeds the supported size.");
}

function referenceOf(transaction: Element): string {
  const reference = textOf(transaction, 'transaction_id');
  if (reference === undefined) throw new Error('The processor reports a payment without an ID.');
  return reference;
}

function sumOf(action: Element, currency: Currency) {
  const amount = amountOf(textOf(action, 'amount'), currency);
  if (amount === undefined) throw new Error('The processor reports a payment with an amount that cannot be read.');
  return money(amount.minor, currency);
}

/** Converts `20261122153000`, which is UTC, to ISO 8601. */
function timeOf(action: Element): string {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(textOf(action, 'date') ?? '');
  if (!match) throw new Error('The processor reports a payment with a time that cannot be read.');
  const [, year, month, day, hour, minute, second] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
