import type { Core } from '#core';
import { type Actor, dateIn } from '#core/kernel';
import type { Column } from '#server/http';

/** Adds the day of each row in the time zone of its merchant, by which the days of a filter select. */
export async function withLocalDate<Row extends { readonly merchantId: string }>(
  core: Core,
  { tenantId }: Actor,
  columns: readonly Column<Row>[],
  timeOf: (row: Row) => string,
): Promise<readonly Column<Row>[]> {
  const zones = await core.merchants.zones(tenantId);
  return [...columns, ['localDate', (row) => dateIn(zones.get(row.merchantId) ?? 'UTC', Date.parse(timeOf(row))), 'plain']];
}
