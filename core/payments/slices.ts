import { setImmediate as breathe } from 'node:timers/promises';
import type { Read } from '#core/database';
import { type Condition, countOf, type TransactionFilter } from './list.ts';
import { TRANSACTIONS } from './schema.ts';

/** Rows that are looked at in one read: other requests go on between two of them. */
const SLICE = 5_000;

/** Whether a filter names few rows, found on an index: they are read at once. */
export function isSelective({ last4, q, customerId, settlementDate }: TransactionFilter): boolean {
  return [last4, q, customerId, settlementDate].some((asked) => asked !== undefined && asked.trim() !== '');
}

/** Goes through a tenant's transactions slice by slice, newest first, with the condition narrowed to each slice. */
export async function eachSlice(read: Read, condition: Condition, visit: (slice: Condition) => Promise<void>): Promise<void> {
  const first = String(condition.params.fromId ?? '');
  let below = condition.params.toId;
  for (;;) {
    const [under, at] = below === undefined ? ['', {}] : [' AND id < :below', { below }];
    const [edge] = await read.all<{ id: string }>(
      `SELECT id FROM transactions WHERE tenant_id = :tenantId${under} ORDER BY id DESC LIMIT 1 OFFSET ${SLICE - 1}`,
      at,
    );
    const from = edge?.id ?? '';
    await visit({ ...condition, sql: `${condition.sql}${under} AND id >= :from`, params: { ...condition.params, ...at, from } });
    if (edge === undefined || from <= first) return;
    below = from;
    await breathe();
  }
}

/** How many transactions a filter names that no counter knows. */
export async function countEvery(read: Read, filter: TransactionFilter, condition: Condition): Promise<number> {
  if (isSelective(filter)) return countOf(read, TRANSACTIONS, condition);
  let total = 0;
  await eachSlice(read, condition, async (slice) => {
    total += await countOf(read, TRANSACTIONS, slice);
  });
  return total;
}
