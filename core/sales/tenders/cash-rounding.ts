import { queriesOn, type Read, TENANT } from '#core/database';
import { TENDER_REFUNDS, TENDERS } from './schema.ts';

const queries = queriesOn(TENDERS, TENDER_REFUNDS);

/** Returns the rounding of tenders, less that of their refunds, in minor units. Tenders without rounding are absent. */
export async function cashRoundings(read: Read, tenderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (tenderIds.length === 0) return new Map();
  const received = queries
    .selectFrom('tenders')
    .select(['id', 'rounding_minor'])
    .where('tenant_id', '=', TENANT)
    .where('id', 'in', tenderIds);
  const returned = queries
    .selectFrom('tender_refunds')
    .select(['tender_id', 'rounding_minor'])
    .where('tenant_id', '=', TENANT)
    .where('tender_id', 'in', tenderIds);
  const sums = new Map<string, number>();
  const count = (id: string, minor: number) => {
    if (minor !== 0) sums.set(id, (sums.get(id) ?? 0) + minor);
  };
  for (const { id, rounding_minor } of await read.rows(received)) count(id, rounding_minor);
  for (const { tender_id, rounding_minor } of await read.rows(returned)) count(tender_id, -rounding_minor);
  return sums;
}
