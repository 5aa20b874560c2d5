import { type Currency, isoTime, money } from '#core/kernel';
import type { ReportPeriod, ReturnedItem, SettlementLine } from '../connector.ts';
import { type Client, isTrue, type Json, listOf, textOf, timeOf } from './client.ts';
import { batchesWithin, detailsOf, knownOrThrow, linesOf, type SettledBatch } from './lists.ts';
import { SETTLED_STATES, transactionStateOf } from './mapping.ts';
import { minorOf } from './money.ts';

const DAY_MS = 86_400_000;
/** A batch closes within a day after the account's cutoff, so a payment may be settled up to two days after its day. */
const SETTLED_WITHIN_MS = 2 * DAY_MS;
/** Time after its batch in which a bank can return a payment: 60 days, and the time until the processor reports it. */
const RETURNED_WITHIN_MS = 65 * DAY_MS;

/**
 * Yields the settled payments of a period, one page of a batch at a time. @throws if the processor does not answer, or if a batch total
 * differs from its lines, so that no partial report is used.
 */
export async function* settlementReport(client: Client, { from, to }: ReportPeriod, currency: Currency): AsyncGenerator<SettlementLine[]> {
  const toMs = Date.parse(to);
  const batches = knownOrThrow(
    await batchesWithin(client, Date.parse(from), Math.min(toMs + SETTLED_WITHIN_MS, Math.max(toMs, Date.now()))),
  );
  for (const batch of batches) {
    let sum = 0;
    for await (const items of linesOf(client, batch)) {
      const lines = items.flatMap((item) => lineOf(item, batch, currency) ?? []);
      for (const { kind, amount } of lines) sum += kind === 'refund' ? -amount.minor : amount.minor;
      yield lines.filter(({ at }) => Date.parse(at) < toMs);
    }
    const statedTotal = statedTotalOf(batch, currency);
    if (statedTotal !== undefined && statedTotal !== sum)
      throw new Error(`The total of batch ${batch.id} of the processor differs from the sum of its lines.`);
  }
}

/** Yields the bank payments returned within a period, whenever they were settled. */
export async function* returns(client: Client, { from, to }: ReportPeriod, currency: Currency): AsyncGenerator<ReturnedItem[]> {
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  const batches = knownOrThrow(await batchesWithin(client, fromMs - RETURNED_WITHIN_MS, toMs));
  for (const batch of batches.filter(({ isBank }) => isBank)) {
    for await (const items of linesOf(client, batch)) {
      const found: ReturnedItem[] = [];
      for (const item of items.filter(wasReturned)) found.push(...(await returnedOf(client, item, currency)));
      yield found.filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) < toMs);
    }
  }
}

const wasReturned = (item: Json) => isTrue(item.hasReturnedItems) || transactionStateOf(textOf(item.transactionStatus)) === 'returned';

/** Converts a line. @throws if amount, ID or status are missing, because the report would be incomplete. */
function lineOf(item: Json, batch: SettledBatch, currency: Currency): SettlementLine | null {
  const minor = minorOf(item.settleAmount, currency);
  const reference = textOf(item.transId);
  const state = transactionStateOf(textOf(item.transactionStatus));
  if (minor === undefined || reference === undefined || state === undefined)
    throw new Error(`Batch ${batch.id} of the processor has a line that cannot be read.`);
  // A payment that was returned or charged back later was settled nevertheless; both are reported separately.
  if (state !== 'refund-settled' && !SETTLED_STATES.has(state)) return null;
  const kind = state === 'refund-settled' ? 'refund' : 'capture';
  const at = isoTime(timeOf(item.submitTimeUTC) ?? batch.settledMs);
  return { reference, processorRef: textOf(item.invoiceNumber) ?? '', kind, amount: money(minor, currency), at, batch: batch.id };
}

/** Returns charges less refunds as the batch reports them; undefined if it does not report them. */
function statedTotalOf({ statistics }: SettledBatch, currency: Currency): number | undefined {
  let sum = 0;
  for (const { chargeAmount, refundAmount } of statistics) {
    const charged = minorOf(chargeAmount, currency);
    const refunded = minorOf(refundAmount, currency);
    if (charged === undefined || refunded === undefined) return undefined;
    sum += charged - refunded;
  }
  return statistics.length === 0 ? undefined : sum;
}

async function returnedOf(client: Client, item: Json, currency: Currency): Promise<ReturnedItem[]> {
  const reference = textOf(item.transId) ?? '';
  const { transaction } = knownOrThrow(await detailsOf(client, reference));
  const minor = minorOf(transaction.settleAmount, currency) ?? minorOf(item.settleAmount, currency);
  return listOf(transaction.returnedItems).map(({ dateUTC, code, description }) => {
    const at = timeOf(dateUTC);
    if (minor === undefined || at === undefined) throw new Error('The processor did not report the date or amount of the return.');
    return {
      reference,
      processorRef: textOf(item.invoiceNumber) ?? '',
      returnCode: client.clean(textOf(code) ?? ''),
      reason: client.clean(textOf(description) ?? ''),
      amount: money(minor, currency),
      at: isoTime(at),
    };
  });
}
