import { listOf, queriesOn, type Read, TENANT, type Work } from '#core/database';
import type { EventType } from '#shared/webhook-events';
import { COUNT_BLOCK, EVENT_COUNTS, EVENT_HEADS, EVENTS_PER_BLOCK } from './schema.ts';

/** Selection of events by their columns, and by their numbers between two others. */
export interface EventSelection {
  readonly types: readonly EventType[];
  /** null for the events of all merchants. */
  readonly merchantId: string | null;
  /** ISO 8601 times of creation; `until` is exclusive. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Numbers of the events before and after the selection. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

/** Consecutive numbers of the history: those after one number, through another one or, if it is null, to the end. */
export interface NumberRange {
  readonly after: number;
  readonly through: number | null;
}

/** Consecutive numbers with the number of selected events among them. */
interface CountedRange extends NumberRange {
  readonly count: number;
}

const queries = queriesOn(EVENT_COUNTS);

/**
 * Returns the ranges of numbers with selected events, in order. Counters of full blocks have their counts; `countIn` counts the events of blocks at the
 * ends of the selection, and of the block that is not full yet. `newest` is the number of the newest event.
 */
export async function rangesWith(
  read: Read,
  selection: EventSelection,
  newest: number,
  countIn: (range: NumberRange) => Promise<number>,
): Promise<CountedRange[]> {
  const { after = 0, before, from, until } = selection;
  const firstOpenBlock = Math.floor(newest / EVENTS_PER_BLOCK);
  const through = before === undefined ? null : before - 1;
  const ranges: (NumberRange & { readonly count?: number })[] = [];
  for (const { block, count, firstAt, lastAt } of await blocksWith(read, selection)) {
    if (block >= firstOpenBlock || (from !== undefined && lastAt < from) || (until !== undefined && firstAt >= until)) continue;
    const first = block * EVENTS_PER_BLOCK;
    const last = first + EVENTS_PER_BLOCK;
    const isWithin = (from === undefined || firstAt >= from) && (until === undefined || lastAt < until);
    const isWhole = isWithin && first >= after && (through === null || last <= through);
    ranges.push(
      isWhole ? { after: first, through: last, count } : { after: Math.max(first, after), through: Math.min(last, through ?? last) },
    );
  }
  const open = Math.max(firstOpenBlock * EVENTS_PER_BLOCK, after);
  if (through === null || through > open) ranges.push({ after: open, through });
  const counted = await Promise.all(ranges.map(async (range) => ({ ...range, count: range.count ?? (await countIn(range)) })));
  return counted.filter(({ count }) => count > 0);
}

/** Updates the counters in the commit that removed the events up to a number: those of removed blocks, and of the full block with the next event. */
export async function removeCounts(work: Work, through: number): Promise<void> {
  const block = Math.floor(through / EVENTS_PER_BLOCK);
  await work.execute(queries.deleteFrom('event_counts').where('tenant_id', '=', TENANT).where('block', '<=', block));
  const isFull = block < Math.floor((await newestEventNumber(work)) / EVENTS_PER_BLOCK);
  if (isFull) work.apply(COUNT_BLOCK, { tenant_id: work.tenantId ?? '', block });
}

/** Returns the number of the newest event of a tenant; 0 if there is none. */
export async function newestEventNumber(read: Read): Promise<number> {
  const head = await read.one(EVENT_HEADS, { tenant_id: read.tenantId ?? '' });
  return Number(head?.n ?? 0);
}

/** Returns the ranges that together have a number of events, in their order. Adjacent ranges are joined. */
export function rangesFor(ranges: readonly CountedRange[], limit: number, isForward: boolean): NumberRange[] {
  const found: NumberRange[] = [];
  let count = 0;
  for (const { after, through, count: more } of isForward ? ranges : ranges.toReversed()) {
    if (count >= limit) break;
    count += more;
    const last = found.at(-1);
    if (last !== undefined && isForward && last.through === after) found.splice(-1, 1, { after: last.after, through });
    else if (last !== undefined && !isForward && last.after === through) found.splice(-1, 1, { after, through: last.through });
    else found.push({ after, through });
  }
  return found;
}

/** Returns the full blocks with events of the types and the merchant, near the numbers of a selection. */
async function blocksWith(read: Read, { types, merchantId, after, before }: EventSelection) {
  let counts = queries
    .selectFrom('event_counts')
    .select(({ fn }) => [
      'block',
      fn.sum<number>('n').as('count'),
      fn.min<string>('first_at').as('firstAt'),
      fn.max<string>('last_at').as('lastAt'),
    ])
    .where('tenant_id', '=', TENANT)
    .where('type', 'in', listOf(types) as EventType[])
    .groupBy('block')
    .orderBy('block');
  if (merchantId !== null) counts = counts.where('merchant_id', '=', merchantId);
  if (after !== undefined) counts = counts.where('block', '>=', Math.floor(after / EVENTS_PER_BLOCK));
  if (before !== undefined) counts = counts.where('block', '<=', Math.floor((before - 2) / EVENTS_PER_BLOCK));
  const rows = await read.rows(counts);
  return rows.map(({ block, count, firstAt, lastAt }) => ({ block: Number(block), count: Number(count), firstAt, lastAt }));
}
