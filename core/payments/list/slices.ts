import { setImmediate as breathe } from 'node:timers/promises';
import type { PageOf, Read } from '#core/database';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { type Condition, countByDays, countOf, pageOf, type TransactionFilter } from './list.ts';

/** Rows that are looked at in one read: other requests go on between two of them. */
const SLICE = 5_000;

/** Whether a filter names few rows, found on an index: they are read at once. */
export function isSelective({ last4, q, customerId, settlementDate, settlementId }: TransactionFilter): boolean {
  return [last4, q, customerId, settlementDate, settlementId].some((asked) => asked !== undefined && asked.trim() !== '');
}

/** Whether what a filter names is found by reading on in an index, so that a page costs no more than its rows. */
const isDense = (filter: TransactionFilter, { countable, narrowing = 0 }: Condition) =>
  isSelective(filter) || (countable && (narrowing === 0 || (narrowing === 1 && isIndexed(filter))));
const isIndexed = ({ type, paymentMethod }: TransactionFilter) => type === undefined && paymentMethod === undefined;

/** A condition narrowed to a tenant's transactions slice by slice, newest first. */
async function* slices(read: Read, condition: Condition, under?: string): AsyncGenerator<Condition> {
  const first = String(condition.params.fromId ?? '');
  let below = under ?? condition.params.toId;
  for (;;) {
    const [bound, at] = below === undefined ? ['', {}] : [' AND id < :below', { below }];
    const [edge] = await read.all<{ id: string }>(
      `SELECT id FROM transactions WHERE tenant_id = :tenantId${bound} ORDER BY id DESC LIMIT 1 OFFSET ${SLICE - 1}`,
      at,
    );
    const from = edge?.id ?? '';
    yield { ...condition, sql: `${condition.sql}${bound} AND id >= :from`, params: { ...condition.params, ...at, from } };
    if (edge === undefined || from <= first) return;
    below = from;
    await breathe();
  }
}

/** Goes through a tenant's transactions slice by slice, newest first, with the condition narrowed to each slice. */
export async function eachSlice(read: Read, condition: Condition, visit: (slice: Condition) => Promise<void>): Promise<void> {
  for await (const slice of slices(read, condition)) await visit(slice);
}

/** The condition as a whole where its rows are found on an index; else slice by slice, so that a filter that nothing fulfils holds nobody up. */
export async function* narrowed(read: Read, filter: TransactionFilter, condition: Condition): AsyncGenerator<Condition> {
  if (isDense(filter, condition)) yield condition;
  else yield* slices(read, condition);
}

/**
 * One page of the rows of a filter with how many there are of it. What no index finds is looked for slice by slice, until the page is full or, where no
 * counter knows how many there are, to the end.
 */
export async function pageWithTotal(
  read: Read,
  filter: TransactionFilter,
  condition: Condition,
  at: PageOf,
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
  const page = new PageOfSlices(read, at);
  let total = 0;
  for await (const slice of slices(read, condition, known === null ? undefined : at.cursor)) {
    if (known === null) total += await countOf(read, TRANSACTIONS, slice);
    await page.take(slice);
    if (known !== null && page.hasAllOf(known)) break;
  }
  return { rows: page.rows, total: known ?? total };
}

/** Puts a page together from slices, newest first. */
class PageOfSlices {
  readonly rows: TransactionRow[] = [];
  readonly #read: Read;
  readonly #limit: number;
  readonly #cursor: string | undefined;
  #skip: number;
  /** Rows that lie before the page. */
  #passed = 0;

  constructor(read: Read, { page, limit, cursor }: PageOf) {
    this.#read = read;
    this.#limit = Math.trunc(limit);
    this.#cursor = cursor;
    this.#skip = cursor === undefined ? (Math.trunc(page) - 1) * this.#limit : 0;
  }

  get isFull(): boolean {
    return this.rows.length === this.#limit;
  }

  /** Whether nothing more of so many belongs on the page. */
  hasAllOf(total: number): boolean {
    return this.isFull || this.rows.length + this.#passed >= total;
  }

  async take(slice: Condition): Promise<void> {
    if (this.isFull) return;
    const { sql, params }: Pick<Condition, 'sql' | 'params'> =
      this.#cursor === undefined ? slice : { sql: `${slice.sql} AND id < :cursor`, params: { ...slice.params, cursor: this.#cursor } };
    if (this.#skip > 0) {
      const count = await countOf(this.#read, TRANSACTIONS, { ...slice, sql, params });
      if (count <= this.#skip) {
        this.#skip -= count;
        this.#passed += count;
        return;
      }
    }
    const columns = TRANSACTIONS.columns.join(', ');
    const found = await this.#read.all<TransactionRow>(
      `SELECT ${columns} FROM transactions WHERE ${sql} ORDER BY id DESC LIMIT :room OFFSET :skip`,
      { ...params, room: this.#limit - this.rows.length, skip: this.#skip },
    );
    this.rows.push(...found);
    this.#passed += this.#skip;
    this.#skip = 0;
  }
}
