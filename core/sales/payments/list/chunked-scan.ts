import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  NEWEST_FIRST,
  type PageRequest,
  queriesOn,
  type Read,
  type RowRange,
  rangeOfRows,
  rowsOf,
  rowsToRead,
  sql,
  TENANT,
} from '#core/database';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { derivedTotal, sourceFor } from './derived-total.ts';
import { isFew } from './exceptional-payments.ts';
import {
  countByDays,
  countOf,
  idBelow,
  inRange,
  type ListCondition,
  newestRows,
  pageOf,
  rowsMatching,
  type TransactionFilter,
} from './list.ts';
import { countFound, newestFound, type Search } from './search.ts';

const queries = queriesOn(TRANSACTIONS);

/** Rows per read; other requests run between two reads. */
const CHUNK_ROWS = 5_000;

/** Returns true if a filter names few rows by an index, so that one read suffices. */
export function isSelective({
  last4,
  q,
  customerId,
  settlementDate,
  settlementId,
  shiftId,
  terminalId,
  declineCode,
  refundedFrom,
  refundedTo,
}: TransactionFilter): boolean {
  return [last4, q, customerId, settlementDate, settlementId, shiftId, terminalId, declineCode, refundedFrom, refundedTo].some(
    (value) => value !== undefined && value.trim() !== '',
  );
}

/** Returns true if reading an index in order finds the rows of a filter, so that a page costs no more than its rows. */
const isDense = (filter: TransactionFilter, { countable, narrowing, source }: ListCondition) =>
  (source === undefined ? isSelective(filter) : isFew(source)) ||
  (countable && (narrowing === 0 || (narrowing === 1 && isIndexed(filter))));
const isIndexed = ({ type, paymentMethod }: TransactionFilter) => type === undefined && paymentMethod === undefined;

/**
 * Returns the read for rows of a condition: in a thread, unless an index in the order of the rows contains little else. A search, or a condition without an index,
 * reads many more rows than it returns.
 */
export const readFor = (read: Read, filter: TransactionFilter, condition: ListCondition): Read =>
  condition.countable && isDense(filter, condition) ? read : read.heavy;

/** Returns the query for the IDs that chunks of a condition consist of: those of its source, or of all payments. */
function idsBelow({ source }: ListCondition, below: string | undefined) {
  const range = below === undefined ? [] : [idBelow(below)];
  if (source !== undefined) return source(range, true).select('id').orderBy('id', 'desc');
  const ids = queries.selectFrom('transactions').select('id').where('tenant_id', '=', TENANT).orderBy('id', 'desc');
  return range.reduce((narrowed, part) => narrowed.where(part), ids);
}

/** Yields a condition narrowed to one chunk of a tenant's transactions after another, newest first. */
async function* chunks(read: Read, condition: ListCondition, startBelow?: string): AsyncGenerator<ListCondition> {
  const firstId = condition.fromId ?? '';
  let below = inRange(condition, { toId: startBelow }).toId;
  for (;;) {
    const lastRow = (await read.row(
      idsBelow(condition, below)
        .limit(1)
        .offset(CHUNK_ROWS - 1),
    )) as { id: string } | null;
    const from = lastRow?.id ?? '';
    yield inRange(condition, { fromId: from, toId: below });
    if (lastRow === null || from <= firstId) return;
    below = from;
    await yieldToOthers();
  }
}

/** Visits a tenant's transactions chunk by chunk, newest first, with the condition narrowed to each chunk. */
export async function eachChunk(read: Read, condition: ListCondition, visit: (chunk: ListCondition) => Promise<void>): Promise<void> {
  for await (const chunk of chunks(read, condition)) await visit(chunk);
}

/**
 * Yields the whole condition if an index finds its rows, and otherwise one condition per chunk, so that other requests run in between.
 */
export async function* narrowed(read: Read, filter: TransactionFilter, condition: ListCondition): AsyncGenerator<ListCondition> {
  if (condition.search !== undefined || isDense(filter, condition)) yield condition;
  else yield* chunks(read, condition);
}

/**
 * Returns the rows of one page of a filter, and one more if another page follows, with the total of the filter. If no index finds the rows, they are searched chunk by chunk: until the page is full if
 * counters give the total, and otherwise to the end.
 */
export async function pageWithTotal(
  promptRead: Read,
  filter: TransactionFilter,
  requested: ListCondition,
  pageRequest: PageRequest,
): Promise<{ rows: TransactionRow[]; total: number }> {
  if (requested.search !== undefined) return foundPage(promptRead.heavy, requested.search, pageRequest);
  const condition = await withSource(promptRead, filter, requested);
  const read = pageRequest.page * pageRequest.limit < CHUNK_ROWS ? readFor(promptRead, filter, condition) : promptRead.heavy;
  if (isDense(filter, condition)) {
    const [rows, total] = await Promise.all([
      pageOf<TransactionRow>(read, TRANSACTIONS, condition, pageRequest),
      condition.countable ? countByDays(read, filter, condition) : countOf(read, TRANSACTIONS, condition),
    ]);
    return { rows, total };
  }
  const knownTotal = condition.countable
    ? await countByDays(read, filter, condition)
    : condition.source === undefined
      ? await derivedTotal(read, filter, condition, (few) => countInChunks(read, few))
      : null;
  if (knownTotal === 0) return { rows: [], total: 0 };
  const { page: pageNumber, limit, cursor } = pageRequest;
  const skip = cursor === undefined ? (Math.trunc(pageNumber) - 1) * Math.trunc(limit) : 0;
  const page = new PageOfChunks(read, { below: cursor, skip, limit: rowsToRead(limit) });
  let total = 0;
  for await (const chunk of chunks(read, condition, knownTotal === null ? undefined : pageRequest.cursor)) {
    if (knownTotal === null) total += await countOf(read, TRANSACTIONS, chunk);
    await page.addChunk(chunk);
    if (knownTotal !== null && page.hasAllOf(knownTotal)) break;
  }
  return { rows: page.rows, total: knownTotal ?? total };
}

async function foundPage(
  read: Read,
  search: Search,
  { page, limit, cursor }: PageRequest,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const total = await countFound(read, search);
  if (total === 0 || limit === 0) return { rows: [], total };
  const skip = cursor === undefined ? (Math.trunc(page) - 1) * Math.trunc(limit) : 0;
  return {
    rows: await newestFound(read, search, { below: cursor, skip, limit: rowsToRead(limit) }, (rows) => rows.selectAll(), total),
    total,
  };
}

/** Adds the source of a filter to its condition, unless another index finds few rows. */
async function withSource(read: Read, filter: TransactionFilter, condition: ListCondition): Promise<ListCondition> {
  const source = isSelective(filter) ? undefined : await sourceFor(read, filter);
  return source === undefined ? condition : { ...condition, source };
}

/** Returns the number of rows of a filter. */
export async function totalOf(read: Read, filter: TransactionFilter, condition: ListCondition): Promise<number> {
  return (await pageWithTotal(read, filter, condition, { page: 1, limit: 0 })).total;
}

async function countInChunks(read: Read, condition: ListCondition): Promise<number> {
  let total = 0;
  for await (const chunk of chunks(read, condition)) total += await countOf(read, TRANSACTIONS, chunk);
  return total;
}

/** Returns a range of the rows of a filter. */
export async function rowsInRange(
  { heavy: read }: Read,
  filter: TransactionFilter,
  requested: ListCondition,
  range: RowRange,
): Promise<TransactionRow[]> {
  const { order = NEWEST_FIRST, after, skip, limit } = range;
  if (order !== NEWEST_FIRST)
    return (await read.rows(rangeOfRows(TRANSACTIONS, rowsMatching(TRANSACTIONS, requested), range))) as unknown as TransactionRow[];
  const below = after?.id;
  if (requested.search !== undefined)
    return newestFound(
      read,
      requested.search,
      { below, skip, limit },
      (rows) => rows.selectAll(),
      await countFound(read, requested.search),
    );
  const condition = await withSource(read, filter, requested);
  if (isDense(filter, condition)) {
    const rows = newestRows(TRANSACTIONS, condition, { below, limit, offset: skip }).selectAll();
    return (await read.rows(rows)) as unknown as TransactionRow[];
  }
  const page = new PageOfChunks(read, { below, skip, limit });
  for await (const chunk of chunks(read, condition, below)) {
    await page.addChunk(chunk);
    if (page.isFull) break;
  }
  return page.rows;
}

/** Builds a page from chunks, newest first. */
class PageOfChunks {
  readonly rows: TransactionRow[] = [];
  readonly #read: Read;
  readonly #limit: number;
  readonly #below: string | undefined;
  #skip: number;
  /** Number of rows before the page. */
  #rowsBefore = 0;

  constructor(read: Read, { below, skip, limit }: Omit<RowRange, 'after'> & { readonly below: string | undefined }) {
    this.#read = read;
    this.#limit = limit;
    this.#below = below;
    this.#skip = skip;
  }

  get isFull(): boolean {
    return this.rows.length === this.#limit;
  }

  /** Returns true if the page is full, or no rows are left of a total. */
  hasAllOf(total: number): boolean {
    return this.isFull || this.rows.length + this.#rowsBefore >= total;
  }

  async addChunk(chunk: ListCondition): Promise<void> {
    if (this.isFull) return;
    const matching = inRange(chunk, { toId: this.#below });
    if (this.#skip > 0) {
      const count = await countOf(this.#read, TRANSACTIONS, matching);
      if (count <= this.#skip) {
        this.#skip -= count;
        this.#rowsBefore += count;
        return;
      }
    }
    // A parameter, unlike other limits, because a literal would need a statement for every number of missing rows.
    const missingRows = sql<number>`${this.#limit - this.rows.length}`;
    const { key: _, ...withoutKey } = matching;
    const matchingRows = rowsMatching(TRANSACTIONS, withoutKey);
    const rows =
      matching.source === undefined
        ? matchingRows.selectAll().orderBy('id', 'desc').limit(missingRows).offset(this.#skip)
        : rowsOf(TRANSACTIONS)
            .selectAll()
            .where('id', 'in', matchingRows.select('id').orderBy('id', 'desc').limit(missingRows).offset(this.#skip) as never)
            .orderBy('id', 'desc');
    const found = (await this.#read.rows(rows)) as unknown as TransactionRow[];
    this.rows.push(...found);
    this.#rowsBefore += this.#skip;
    this.#skip = 0;
  }
}
