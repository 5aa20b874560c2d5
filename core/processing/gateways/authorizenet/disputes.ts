import { type Currency, money } from '#core/kernel';
import type { ReportedDispute, ReportPeriod } from '../connector.ts';
import { type Client, isTrue, type Json, textOf } from './client.ts';
import { batchesWithin, knownOrThrow, linesOf } from './lists.ts';
import { transactionStateOf } from './mapping.ts';
import { minorOf } from './money.ts';

/** Time after its batch in which a payment can be charged back: 120 days, and the time until the processor reports it. */
const DISPUTED_WITHIN_MS = 180 * 86_400_000;

/**
 * Yields the settled payments that are charged back at present, or whose chargeback was reversed. The processor reports neither reason nor
 * time nor case. A bank payment with a return code is a return, which `returns` yields.
 */
export async function* disputes(client: Client, { to }: ReportPeriod, currency: Currency): AsyncGenerator<ReportedDispute[]> {
  const toMs = Date.parse(to);
  for (const batch of knownOrThrow(await batchesWithin(client, toMs - DISPUTED_WITHIN_MS, toMs)))
    for await (const items of linesOf(client, batch)) yield items.flatMap((item) => disputeOf(item, currency) ?? []);
}

/** Converts a line; null if it is not disputed. @throws if amount or ID are missing. */
function disputeOf(item: Json, currency: Currency): ReportedDispute | null {
  const state = transactionStateOf(textOf(item.transactionStatus));
  if (state !== 'charged-back' && state !== 'chargeback-reversed') return null;
  if (isTrue(item.hasReturnedItems)) return null;
  const minor = minorOf(item.settleAmount, currency);
  const reference = textOf(item.transId);
  if (minor === undefined || reference === undefined) throw new Error('The processor did not report the ID or amount of a chargeback.');
  return {
    kind: state === 'charged-back' ? 'chargeback' : 'reversal',
    reference,
    processorRef: textOf(item.invoiceNumber) ?? '',
    amount: money(minor, currency),
  };
}
