import { queriesOn, type Read, TENANT } from '#core/database';
import { AUDIT_BLOCKS, AUDIT_HEADS, ENTRIES_PER_BLOCK } from './schema.ts';
import { startOf } from './verify.ts';

/** Consecutive numbers of the log: those after one number, through another one. */
export interface EntryRange {
  readonly after: number;
  readonly through: number;
  /** True if all entries are within the period. */
  readonly isWithin: boolean;
}

interface EntryPeriod {
  /** First and last instant, ISO 8601; the end is exclusive. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const blocks = queriesOn(AUDIT_BLOCKS)
  .selectFrom('audit_blocks')
  .select(['block', 'first_at', 'last_at'])
  .where('tenant_id', '=', TENANT)
  .orderBy('block', 'desc');

/** Returns the ranges of a tenant's entries in the database that may have entries of a period, newest first. */
export async function rangesOf(read: Read, { from, until }: EntryPeriod): Promise<EntryRange[]> {
  const head = (await read.one(AUDIT_HEADS, { tenant_id: read.tenantId ?? '' }))?.n ?? 0;
  const start = (await startOf(read)).n;
  if (from === undefined && until === undefined) return joined([{ after: start, through: head, isWithin: true }]);
  const firstOpen = Math.floor(head / ENTRIES_PER_BLOCK);
  const ranges: EntryRange[] = [{ after: Math.max(start, firstOpen * ENTRIES_PER_BLOCK), through: head, isWithin: false }];
  for (const row of await read.rows(blocks.where('block', '>=', Math.floor(start / ENTRIES_PER_BLOCK)))) {
    const first = Number(row.block) * ENTRIES_PER_BLOCK;
    if (first >= firstOpen * ENTRIES_PER_BLOCK) continue;
    if ((from !== undefined && row.last_at < from) || (until !== undefined && row.first_at >= until)) continue;
    const isWithin = (from === undefined || row.first_at >= from) && (until === undefined || row.last_at < until);
    ranges.push({ after: Math.max(start, first), through: first + ENTRIES_PER_BLOCK, isWithin });
  }
  return joined(ranges);
}

function joined(ranges: readonly EntryRange[]): EntryRange[] {
  const found: EntryRange[] = [];
  for (const range of ranges) {
    if (range.after >= range.through) continue;
    const last = found.at(-1);
    if (last !== undefined && last.after === range.through && last.isWithin === range.isWithin)
      found.splice(-1, 1, { ...last, after: range.after });
    else found.push(range);
  }
  return found;
}

/** Divides ranges into parts of at most `size` numbers, newest first. */
export function* partsOf(ranges: readonly EntryRange[], size: number): Generator<EntryRange> {
  for (const { after, through, isWithin } of ranges)
    for (let to = through; to > after; to -= size) yield { after: Math.max(after, to - size), through: to, isWithin };
}
