import { createdWithin, newestPage, type Page, type PageRequest, queriesOn, TENANT } from '#core/database';
import { type Actor, type Currency, isoTime } from '#core/kernel';
import { type ListTotal, listTotals } from '#core/platform/list-totals';
import { shiftCards } from '#core/sales/payments';
import { drawerFrom, findShift, openKeysOf, seesExpected } from './apply.ts';
import { cardsOf, movementsOf } from './cards.ts';
import type { Dependencies } from './dependencies.ts';
import type { Shift, ShiftDetail, ShiftReport } from './records.ts';
import { reportOf } from './report.ts';
import { SHIFTS, type ShiftRow } from './schema.ts';
import { storedReport, toCardMovement, toMovement, toShift } from './shift.ts';

/** Filters of the list; absent ones do not narrow. */
export interface ShiftFilter {
  readonly status?: 'open' | 'closed';
  readonly drawer?: string;
  readonly merchantId?: string;
}

/** A shift as a line of an export. */
export interface ShiftLine extends Shift {
  /** The Z report, or an X report now. */
  readonly report: ShiftReport;
}

/** Returns the shifts that the caller may see, newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function page(deps: Dependencies, actor: Actor, filter: ShiftFilter, request: PageRequest): Promise<Page<Shift>> {
  const rows = await rowPage(deps, actor, filter, request);
  const sees = seesExpected(actor);
  return { ...rows, items: rows.items.map((row) => toShift(row, sees)) };
}

async function rowPage(deps: Dependencies, actor: Actor, filter: ShiftFilter, request: PageRequest): Promise<Page<ShiftRow>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const where = { merchant_id: merchantId, status: filter.status, drawer: filter.drawer };
  return newestPage(deps.database.read(actor.tenantId), SHIFTS, 'shf', where, request);
}

/** Returns the number of the closed shifts of a filter and a period of opening, and the sum of their variances, by currency. */
export async function totals(
  deps: Dependencies,
  actor: Actor,
  filter: ShiftFilter,
  period: Pick<PageRequest, 'created'>,
): Promise<ListTotal[]> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const equal = { status: filter.status, drawer: filter.drawer, merchant_id: merchantId };
  let closed = queriesOn(SHIFTS)
    .selectFrom('shifts')
    .select(({ fn }) => ['currency', fn.countAll<number>().as('n'), fn.sum<number>('variance_minor').as('minor')])
    .where('tenant_id', '=', TENANT)
    .where('variance_minor', 'is not', null);
  for (const [column, value] of Object.entries(equal) as [keyof typeof equal, string | undefined][])
    if (value !== undefined) closed = closed.where(column, '=', value as never);
  for (const condition of createdWithin(period, 'shf')) closed = closed.where(condition);
  const sums = await deps.database.read(actor.tenantId).heavy.rows(closed.groupBy('currency'));
  return listTotals(sums.map(({ currency, n, minor }) => [currency, { count: Number(n), minor: Number(minor) }] as const));
}

/** Returns the open shift in which cash at a drawer would be counted; null if there is none. */
export async function current(
  deps: Dependencies,
  actor: Actor,
  input: { readonly drawer?: string; readonly merchantId?: string },
): Promise<Shift | null> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const { own, former } = openKeysOf(merchant, drawerFrom(input.drawer), actor);
  const read = deps.database.read(actor.tenantId);
  const row = (await read.one(SHIFTS, { open_key: own })) ?? (await read.one(SHIFTS, { open_key: former }));
  return row === null ? null : toShift(row, seesExpected(actor));
}

/** Returns a shift with its movements. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function get(deps: Dependencies, actor: Actor, shiftId: string): Promise<ShiftDetail> {
  const { row } = await findShift(deps, actor, shiftId);
  return detailOf(deps, actor, row);
}

/** Movements that would reveal the expected cash before a blind count. */
const BLIND_KINDS: ReadonlySet<string> = new Set(['cash_sale', 'cash_refund', 'rounded_up', 'rounded_down']);

export async function detailOf(deps: Dependencies, actor: Actor, row: ShiftRow): Promise<ShiftDetail> {
  const read = deps.database.read(actor.tenantId);
  const movements = await movementsOf(read, row);
  const cards = await cardsOf(read, row);
  const isBlind = row.status === 'open' && !seesExpected(actor);
  const visible = movements.filter(({ kind }) => !isBlind || !BLIND_KINDS.has(kind));
  const ordered = [...visible.map(toMovement), ...cards.map(toCardMovement)].toSorted((left, right) =>
    left.at < right.at ? -1 : left.at > right.at ? 1 : 0,
  );
  return { ...toShift(row, seesExpected(actor)), movements: ordered };
}

/** Returns the Z report of a closed shift as it was written, or the X report of an open one. @throws ServiceError NOT_FOUND. */
export async function report(deps: Dependencies, actor: Actor, shiftId: string): Promise<ShiftReport> {
  return reportOfRow(deps, actor, (await findShift(deps, actor, shiftId)).row);
}

async function reportOfRow(deps: Dependencies, actor: Actor, row: ShiftRow): Promise<ShiftReport> {
  const stored = storedReport(row);
  if (stored !== null) return stored;
  const read = deps.database.read(actor.tenantId);
  const movements = await movementsOf(read, row);
  const cards = shiftCards(await cardsOf(read, row), row.currency as Currency);
  const at = isoTime(deps.clockOf(actor.tenantId).now());
  return reportOf(row, movements, at, { cards, seesExpected: seesExpected(actor) });
}

/** Yields the shifts that the caller may see, newest first, for an export. */
export async function* lines(
  deps: Dependencies,
  actor: Actor,
  filter: ShiftFilter,
  created: PageRequest['created'],
): AsyncGenerator<readonly ShiftLine[]> {
  const sees = seesExpected(actor);
  let cursor: string | undefined;
  do {
    const found: Page<ShiftRow> = await rowPage(deps, actor, filter, {
      page: 1,
      limit: 200,
      ...(cursor === undefined ? {} : { cursor }),
      ...(created === undefined ? {} : { created }),
    });
    const lines: ShiftLine[] = [];
    for (const row of found.items) lines.push({ ...toShift(row, sees), report: await reportOfRow(deps, actor, row) });
    yield lines;
    cursor = found.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
