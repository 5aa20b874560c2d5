import type { KeyObject } from 'node:crypto';
import { type ChainHead, type Database, emptyHead, queriesOn, type Read, TENANT } from '#core/database';
import { breakOf, sealOf, startSealOf } from './chain.ts';
import type { ChainVerification } from './records.ts';
import { AUDIT, AUDIT_BLOCKS, AUDIT_HEADS, AUDIT_STARTS, type AuditRow, ENTRIES_PER_BLOCK } from './schema.ts';

const READ_TOGETHER = 1_000;
const entries = queriesOn(AUDIT).selectFrom('audit_entries').where('tenant_id', '=', TENANT);

/** Returns the point up to which a tenant's entries were archived; `n` is 0 if none were. */
export async function startOf(read: Read): Promise<ChainHead> {
  const tenantId = read.tenantId ?? '';
  return (await read.one(AUDIT_STARTS, { tenant_id: tenantId })) ?? emptyHead(tenantId);
}

export const isSealedStart = (key: KeyObject, start: ChainHead) => start.n === 0 || start.seal === startSealOf(key, start);

/** Walks a tenant's chain from the end of its archives to its head. */
export async function verify(database: Database, key: KeyObject, tenantId: string): Promise<ChainVerification> {
  const read = database.read(tenantId);
  const head = (await read.one(AUDIT_HEADS, { tenant_id: tenantId })) ?? emptyHead(tenantId);
  let start = await startOf(read);
  const broken = (reason: string, firstBadId: string | null = null): ChainVerification => ({
    valid: false,
    entries: head.n,
    archivedEntries: start.n,
    firstBadId,
    reason,
  });
  if (!isSealedStart(key, start)) return broken('the start of the log was changed');
  let last: Pick<ChainHead, 'n' | 'hash'> = start;
  const times = new BlockTimes();
  for (;;) {
    const rows = await entriesAfter(read, last.n, READ_TOGETHER);
    const [first] = rows;
    if (first && first.n > last.n + 1) {
      // Entries may have been archived since the start was read.
      const moved = await startOf(read);
      if (moved.n > last.n && isSealedStart(key, moved)) {
        start = moved;
        last = moved;
        continue;
      }
    }
    for (const row of rows) {
      if (row.n > head.n) break;
      const reason = breakOf(key, last, row);
      if (reason !== null) return broken(reason, row.id);
      times.add(row);
      last = row;
    }
    if (rows.length < READ_TOGETHER || (rows.at(-1)?.n ?? 0) >= head.n) break;
  }
  // Entries may have been appended after the head was read. Entries that no head covers were inserted manually.
  if (head.n === 0 || head.seal !== sealOf(key, head)) return broken('the end of the log was changed');
  if (last.n < head.n) {
    const moved = await startOf(read);
    // All entries were archived since the start was read.
    if (moved.n <= last.n || !isSealedStart(key, moved)) return broken(`the last ${head.n - last.n} entries are missing`);
    return verify(database, key, tenantId);
  }
  if (last.n === head.n && last.hash !== head.hash) return broken('the last entry does not match the end of the log');
  const changed = await changedBlock(read, times);
  if (changed !== null)
    return broken(
      `the times by which lists of a period find entries ${changed * ENTRIES_PER_BLOCK + 1} to ${(changed + 1) * ENTRIES_PER_BLOCK} were changed`,
    );
  const after = (await read.one(AUDIT_HEADS, { tenant_id: tenantId }))?.n ?? 0;
  const uncovered = await read.row(entries.select('id').where('n', '>', Math.max(after, head.n)).orderBy('n').limit(1));
  if (uncovered) {
    const now = (await read.one(AUDIT_HEADS, { tenant_id: tenantId }))?.n ?? 0;
    if (now === after) return broken('it was added after the end of the log', uncovered.id);
  }
  return { valid: true, entries: head.n, archivedEntries: start.n, firstBadId: null, reason: null };
}

/** The first and the last time of blocks of entries, of which a list of a period reads only those that may have entries of the period. */
class BlockTimes {
  readonly #blocks = new Map<number, { first: string; last: string; count: number }>();

  add({ n, at }: AuditRow): void {
    const number = Math.floor((n - 1) / ENTRIES_PER_BLOCK);
    const block = this.#blocks.get(number);
    if (block === undefined) {
      this.#blocks.set(number, { first: at, last: at, count: 1 });
      return;
    }
    if (at < block.first) block.first = at;
    if (at > block.last) block.last = at;
    block.count += 1;
  }

  /** Returns the blocks of which every entry was added. */
  full(): { readonly number: number; readonly first: string; readonly last: string }[] {
    return [...this.#blocks].filter(([, { count }]) => count === ENTRIES_PER_BLOCK).map(([number, block]) => ({ number, ...block }));
  }
}

/** Returns the number of the first block whose stored times are not those of its entries, so that lists would omit some; null if there is none. */
async function changedBlock(read: Read, times: BlockTimes): Promise<number | null> {
  const rows = await read.find(AUDIT_BLOCKS, {});
  const stored = new Map(rows.map(({ block, first_at, last_at }) => [Number(block), { first_at, last_at }]));
  const changed = times
    .full()
    .filter(({ number, first, last }) => stored.get(number)?.first_at !== first || stored.get(number)?.last_at !== last);
  if (changed.length === 0) return null;
  // An archive removes the entries of a block with its times.
  const archived = (await startOf(read)).n;
  return changed.find(({ number }) => number * ENTRIES_PER_BLOCK >= archived)?.number ?? null;
}

/** Returns the next entries of a tenant, in order. */
export function entriesAfter(read: Read, n: number, limit: number): Promise<AuditRow[]> {
  return read.rows(entries.selectAll().where('n', '>', n).orderBy('n').limit(limit));
}
