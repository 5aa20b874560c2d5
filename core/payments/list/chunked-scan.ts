import { setImmediate as breathe } from 'node:timers/promises';
import { type Condition, type PageRequest, queriesOn, type Read, sql, TENANT } from '#core/database';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { countByDays, countOf, idBelow, idFrom, type ListCondition, pageOf, rowsFulfilling, type TransactionFilter } from './list.ts';

const queries = queriesOn(TRANSACTIONS);

/** Rows per read; other requests run between two reads. */
const SLICE = 5_000;

/** Returns true if a filter names few rows by an index, so that one read suffices. */
export function isSelective({ last4, q, customerId, settlementDate, settlementId }: TransactionFilter): boolean {
  return [last4, q, customerId, settlementDate, settlementId].some((asked) => asked !== undefined && asked.trim() !== '');
}

/** Returns true if reading an index in order finds the rows of a filter, so that a page costs no more than its rows. */
const isDense = (filter: TransactionFilter, { countable, narrowing }: ListCondition) =>
  isSelective(filter) || (countable && (narrowing === 0 || (narrowing === 1 && isIndexed(filter))));
const isIndexed = ({ type, paymentMethod }: TransactionFilter) => type === undefined && paymentMethod === undefined;

/** A condition narrowed to a tenant's transactions slice by slice, newest first. */
async function* chunks(read: Read, condition: ListCondition, under?: string): AsyncGenerator<ListCondition> {
  const first = condition.fromId ?? '';
  let below = under ?? condition.toId;
  for (;;) {
    const bound: Condition[] = below === undefined ? [] : [idBelow(below)];
    const ids = queries.selectFrom('transactions').select('id').where('tenant_id', '=', TENANT).orderBy('id', 'desc');
    const [edge]: { id: string }[] = await read.rows(
      bound
        .reduce((narrowed, part) => narrowed.where(part), ids)
        .limit(1)
        .offset(SLICE - 1),
    );
    const from = edge?.id ?? '';
    yield { ...condition, parts: [...condition.parts, ...bound, idFrom(from)] };
    if (edge === undefined || from <= first) return;
    below = from;
    await breathe();
  }
}

/** Goes through a tenant's transactions slice by slice, newest first, with the condition narrowed to each slice. */
export async function eachChunk(read: Read, condition: ListCondition, visit: (slice: ListCondition) => Promise<void>): Promise<void> {
  for await (const slice of chunks(read, condition)) await visit(slice);
}

/**
 * Returns the whole condition if an index finds its rows, and else one condition per chunk, so that a filter without results blocks nobody.
 */
export async function* narrowed(read: Read, filter: TransactionFilter, condition: ListCondition): AsyncGenerator<ListCondition> {
  if (isDense(filter, condition)) yield condition;
  else yield* chunks(read, condition);
}

/**
 * One page of the rows of a filter with how many there are of it. What no index finds is looked for slice by slice, until the page is full or, where no
 * counter knows how many there are, to the end.
 */
export async function pageWithTotal(
  read: Read,
  filter: TransactionFilter,
  condition: ListCondition,
  at: PageRequest,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const counted = condition.countable ? countByDays(read, filter, condition) : null;
  if (isDense(filter, condition)) {
    const [rows, total] = await Promise.all([
      pageOf<TransactionRow>(read, TRANSACTIONS, condition, at),
      counted ?? countOf(read, TRANSACTIONS, condition),
    ]);
    return { rows, total };
  }
  const known = await counted;
  if (known === 0) return { rows: [], total: 0 };
  const page = new PageOfChunks(read, at);
  let total = 0;
  for await (const slice of chunks(read, condition, known === null ? undefined : at.cursor)) {
    if (known === null) total += await countOf(read, TRANSACTIONS, slice);
    await page.take(slice);
    if (known !== null && page.hasAllOf(known)) break;
  }
  return { rows: page.rows, total: known ?? total };
}

/** Builds a page from chunks, newest first. */
class PageOfChunks {
  readonly rows: TransactionRow[] = [];
  readonly #read: Read;
  readonly #limit: number;
  readonly #cursor: string | undefined;
  #skip: number;
  /** Rows that lie before the page. */
  #passed = 0;

  constructor(read: Read, { page, limit, cursor }: PageRequest) {
    this.#read = read;
    this.#limit = Math.trunc(limit);
    this.#cursor = cursor;
    this.#skip = cursor === undefined ? (Math.trunc(page) - 1) * this.#limit : 0;
  }

  get isFull(): boolean {
    return this.rows.length === this.#limit;
  }

  /** Returns true if the page has all of so many rows. */
  hasAllOf(total: number): boolean {
    return this.isFull || this.rows.length + this.#passed >= total;
  }

  async take(slice: ListCondition): Promise<void> {
    if (this.isFull) return;
    const parts = this.#cursor === undefined ? slice.parts : [...slice.parts, idBelow(this.#cursor)];
    if (this.#skip > 0) {
      const count = await countOf(this.#read, TRANSACTIONS, { ...slice, parts });
      if (count <= this.#skip) {
        this.#skip -= count;
        this.#passed += count;
        return;
      }
    }
    // A parameter, unlike other limits: there would be as many statements as numbers of rows that are missing.
    const room = sql<number>`${this.#limit - this.rows.length}`;
    const { key: _, ...plain } = slice;
    const rows = rowsFulfilling(TRANSACTIONS, { ...plain, parts })
      .selectAll()
      .orderBy('id', 'desc')
      .limit(room)
      .offset(this.#skip);
    const found = (await this.#read.rows(rows)) as unknown as TransactionRow[];
    this.rows.push(...found);
    this.#passed += this.#skip;
    this.#skip = 0;
  }
}
