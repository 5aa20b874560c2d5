import type { Outcome } from '../connector.ts';
import { type Client, type Json, listOf, messageOf, objectOf, textOf, timeOf } from './client.ts';

/** Reason why the outcome is unknown. */
export type Doubt = Extract<Outcome, { kind: 'unknown' }>;

/** Lines per page of the processor, and the largest number of pages requested. */
const PAGE = 1_000;
const PAGES_MAX = 100;
/** The longest span that one list of batches may be asked for. */
const SPAN_MS = 31 * 86_400_000;
const SPANS_MAX = 24;
/** An empty list comes without its member; a page behind the last with a refusal. */
const EMPTY_LIST = 'I00004';
const OFFSET_TOO_HIGH = 'E00094';

/** A batch that was settled. */
export interface SettledBatch {
  readonly id: string;
  readonly settledMs: number;
  readonly isBank: boolean;
  readonly statistics: readonly Json[];
}

/** The pages of a list of transactions, until the processor has no more or cannot say. */
export async function* pages(client: Client, operation: string, members: Json, sorting: Json): AsyncGenerator<Json[] | Doubt> {
  for (let offset = 1; offset <= PAGES_MAX; offset += 1) {
    const answer = await asked(client, operation, { ...members, sorting, paging: { limit: PAGE, offset } });
    if ('kind' in answer) {
      yield answer as Doubt;
      return;
    }
    const items = listOf(answer.transactions);
    if (items.length > 0) yield items;
    if (items.length < PAGE) return;
  }
  yield { kind: 'unknown', cause: 'A list of the processor is longer than it may be.' };
}

/** The batches settled within a time, oldest first, each once. */
export async function batchesWithin(client: Client, fromMs: number, toMs: number): Promise<SettledBatch[] | Doubt> {
  if (toMs - fromMs > SPANS_MAX * SPAN_MS) return { kind: 'unknown', cause: 'The time is longer than the processor can be asked for.' };
  const found = new Map<string, SettledBatch>();
  for (let start = fromMs; start < toMs; start += SPAN_MS) {
    const answer = await asked(client, 'getSettledBatchListRequest', {
      includeStatistics: true,
      firstSettlementDate: new Date(start).toISOString(),
      lastSettlementDate: new Date(Math.min(start + SPAN_MS, toMs)).toISOString(),
    });
    if ('kind' in answer) return answer as Doubt;
    for (const batch of listOf(answer.batchList)) {
      const id = textOf(batch.batchId);
      const settledMs = timeOf(batch.settlementTimeUTC);
      if (id === undefined || settledMs === undefined) return { kind: 'unknown', cause: 'The processor has a batch without name or time.' };
      const isBank = textOf(batch.paymentMethod)?.toLowerCase() === 'echeck';
      found.set(id, { id, settledMs, isBank, statistics: listOf(batch.statistics) });
    }
  }
  return [...found.values()].sort((one, other) => one.settledMs - other.settledMs);
}

/** Returns the processor's details of a transaction. */
export async function detailsOf(client: Client, transId: string): Promise<{ readonly transaction: Json } | Doubt> {
  const answer = await asked(client, 'getTransactionDetailsRequest', { transId });
  if ('kind' in answer) return answer as Doubt;
  const transaction = objectOf(answer.transaction);
  return transaction === null ? { kind: 'unknown', cause: 'The processor shows no details of it.' } : { transaction };
}

/** An answer without its refusal; an empty list is none. Members called `kind` are not theirs. */
async function asked(client: Client, operation: string, members: Json): Promise<Json | Doubt> {
  const heard = await client.ask(operation, members);
  if (heard.kind !== 'answer') return { kind: 'unknown', cause: heard.reason };
  const { isOk, code, text } = messageOf(heard.answer);
  if (code === EMPTY_LIST || code === OFFSET_TOO_HIGH) return {};
  if (!isOk) return { kind: 'unknown', cause: client.clean(`${code} ${text}`) || 'The processor did not say why it refused.' };
  const { kind, ...answer } = heard.answer;
  return answer;
}
