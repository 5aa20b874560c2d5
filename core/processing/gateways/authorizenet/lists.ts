import type { Outcome } from '../outcome.ts';
import { type Client, type Json, listOf, messageOf, objectOf, textOf, timeOf } from './client.ts';

/** Unknown outcome, with its reason. */
export type UnknownOutcome = Extract<Outcome, { kind: 'unknown' }>;

/** Lines per page of the processor, and the largest number of pages requested. */
const PAGE_LINES = 1_000;
const PAGES_MAX = 100;
const OLDEST_FIRST = { orderBy: 'id', orderDescending: false } as const;
/** Longest period of one list of batches. */
const SPAN_MS = 31 * 86_400_000;
const SPANS_MAX = 24;
/** Codes of an empty list, and of a page after the last one. */
const EMPTY_LIST = 'I00004';
const OFFSET_TOO_HIGH = 'E00094';

/** A batch that was settled. */
export interface SettledBatch {
  readonly id: string;
  readonly settledMs: number;
  readonly isBank: boolean;
  readonly statistics: readonly Json[];
}

/** Yields the pages of a list of transactions; at an error an unknown outcome. */
export async function* pages(client: Client, operation: string, members: Json, sorting: Json): AsyncGenerator<Json[] | UnknownOutcome> {
  for (let offset = 1; offset <= PAGES_MAX; offset += 1) {
    const answer = await request(client, operation, { ...members, sorting, paging: { limit: PAGE_LINES, offset } });
    if ('kind' in answer) {
      yield answer as UnknownOutcome;
      return;
    }
    const items = listOf(answer.transactions);
    if (items.length > 0) yield items;
    if (items.length < PAGE_LINES) return;
  }
  yield { kind: 'unknown', cause: 'A list of the processor exceeds the supported size.' };
}

/** Returns the batches settled within a period, oldest first, without duplicates. */
export async function batchesWithin(client: Client, fromMs: number, toMs: number): Promise<SettledBatch[] | UnknownOutcome> {
  if (toMs - fromMs > SPANS_MAX * SPAN_MS) return { kind: 'unknown', cause: 'The period is longer than the processor supports.' };
  const batches = new Map<string, SettledBatch>();
  for (let start = fromMs; start < toMs; start += SPAN_MS) {
    const answer = await request(client, 'getSettledBatchListRequest', {
      includeStatistics: true,
      firstSettlementDate: new Date(start).toISOString(),
      lastSettlementDate: new Date(Math.min(start + SPAN_MS, toMs)).toISOString(),
    });
    if ('kind' in answer) return answer as UnknownOutcome;
    for (const batch of listOf(answer.batchList)) {
      const id = textOf(batch.batchId);
      const settledMs = timeOf(batch.settlementTimeUTC);
      if (id === undefined || settledMs === undefined)
        return { kind: 'unknown', cause: 'The processor returned a batch without an ID or time.' };
      const isBank = textOf(batch.paymentMethod)?.toLowerCase() === 'echeck';
      batches.set(id, { id, settledMs, isBank, statistics: listOf(batch.statistics) });
    }
  }
  return [...batches.values()].sort((one, other) => one.settledMs - other.settledMs);
}

/** Returns the processor's details of a transaction. */
export async function detailsOf(client: Client, transId: string): Promise<{ readonly transaction: Json } | UnknownOutcome> {
  const answer = await request(client, 'getTransactionDetailsRequest', { transId });
  if ('kind' in answer) return answer as UnknownOutcome;
  const transaction = objectOf(answer.transaction);
  if (transaction === null) return { kind: 'unknown', cause: 'The processor shows no details of the payment.' };
  const isMatch = textOf(transaction.transId) === transId;
  return isMatch ? { transaction } : { kind: 'unknown', cause: 'The processor responded with another payment.' };
}

/** Sends a request and returns the body, which is empty for an empty list, or an unknown outcome. A member named `kind` is removed, because it marks unknown outcomes. */
async function request(client: Client, operation: string, members: Json): Promise<Json | UnknownOutcome> {
  const response = await client.send(operation, members);
  if (response.kind !== 'response') return { kind: 'unknown', cause: response.reason };
  const { isOk, code, text } = messageOf(response.body);
  if (code === EMPTY_LIST || code === OFFSET_TOO_HIGH) return {};
  if (!isOk) return { kind: 'unknown', cause: client.clean(`${code} ${text}`) || 'The processor refused the request without a reason.' };
  const { kind, ...answer } = response.body;
  return answer;
}

/** Yields the transactions of a batch, page by page. @throws if the processor does not answer. */
export async function* linesOf(client: Client, { id }: SettledBatch): AsyncGenerator<Json[]> {
  for await (const page of pages(client, 'getTransactionListRequest', { batchId: id }, OLDEST_FIRST)) yield knownOrThrow(page);
}

/** Returns the answer of the processor. @throws if the outcome is unknown. */
export function knownOrThrow<Value extends object>(value: Value): Exclude<Value, { kind: 'unknown' }> {
  if ('kind' in value && value.kind === 'unknown')
    throw new Error('cause' in value ? String(value.cause) : 'The processor gave no reason.');
  return value as Exclude<Value, { kind: 'unknown' }>;
}
