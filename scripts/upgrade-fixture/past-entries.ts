import type { Database } from '#core/database';
import { EVENTS, EVENTS_PER_BLOCK, type EventRow, HISTORY } from '../../core/records/webhooks/schema.ts';

const BLOCK = 500;
const ID_DIGITS = 26;

/**
 * Adds as many events to the history of a tenant as fill a block of its counters, in the year and after it. They are copies of its first event with
 * numbers of their own: thousands of operations would take minutes and megabytes.
 */
export async function fillEventBlock(database: Database, tenantId: string, year: number, ofYear: number): Promise<void> {
  const [example] = await database.read(tenantId).find(EVENTS, {}, { orderBy: [['n', 'asc']], limit: 1 });
  if (!example) throw new Error('The sample data have events.');
  const events = Array.from({ length: EVENTS_PER_BLOCK + ofYear }, (_, index): EventRow => {
    const at = new Date(Date.UTC(index < ofYear ? year : year + 1, 0, 1) + index * 60_000).toISOString();
    return { ...example, id: `evt_${String(index).padStart(ID_DIGITS, '0')}`, created_at: at };
  });
  const present = await database.read(tenantId).find(EVENTS, {}, { orderBy: [['n', 'asc']] });
  await database.unitOfWork.transaction(tenantId, async (work) => {
    await work.delete(EVENTS, {});
    await work.delete(HISTORY.heads, {});
  });
  const all = [...events, ...present];
  for (let from = 0; from < all.length; from += BLOCK)
    await database.unitOfWork.transaction(tenantId, async (work) => {
      for (const event of all.slice(from, from + BLOCK)) work.append(HISTORY, event);
    });
}
