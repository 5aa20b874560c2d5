import { lit, type Query, queriesOn, type Read, sql, TENANT } from '#core/database';
import { type Caller, type Currency, money } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { READABLE_GIFT_CARD_LOADS } from '#core/sales/gift-cards';
import { type LineItem, lineItemsOf, READABLE_ITEMS } from '#core/sales/items';
import { READABLE_ORDERS } from '#core/sales/orders';
import { READABLE_TRANSACTIONS } from '#core/sales/payments';
import { READABLE_TENDERS } from '#core/sales/tenders';
import { shareOut } from '#shared/line-items';
import type { Dependencies } from './dependencies.ts';
import type { CategorySales, ItemReport, ItemSales } from './records.ts';
import { type AnalyticsQuery, type Scope, scopeOf } from './scope.ts';

/** An itemized sale as it is read. Amounts are in minor units. */
export interface ItemizedSale {
  readonly id: string;
  readonly lines: string;
  /** Paid amount without tip and surcharge. */
  readonly base: number;
  readonly paid: number;
  readonly refunded: number;
  /** Sum of the gift cards that the sale sells. They are the last of its lines, and no part of `base`, `paid` and `refunded`. */
  readonly giftCards?: number;
}

/** Sales that one statement reads. */
const CHUNK = 1_000;
const THOUSANDTHS = 1_000;
const queries = queriesOn(
  READABLE_TRANSACTIONS,
  READABLE_TENDERS,
  READABLE_ORDERS,
  READABLE_GIFT_CARD_LOADS,
  READABLE_ITEMS,
  READABLE_MERCHANTS,
);

/**
 * Returns the sales by item of the days of a period. A sale counts on its day, and its refunds are taken off on that day too, in proportion to its lines.
 * Sold gift cards are no items, as net sales are without them.
 * @throws ServiceError as the other reports.
 */
export async function itemReport(deps: Dependencies, actor: Caller, query: AnalyticsQuery): Promise<ItemReport> {
  const scope = await scopeOf(deps, actor, query);
  const { currency, startDate, endDate } = scope;
  const items = await sumItems(itemizedSales(deps, scope), currency, await categoriesOf(deps, scope));
  const sumOf = (field: 'sales' | 'taxes' | 'discounts' | 'refunds' | 'net') =>
    money(
      items.items.reduce((sum, item) => sum + item[field].minor, 0),
      currency,
    );
  const total = {
    count: items.count,
    sales: sumOf('sales'),
    taxes: sumOf('taxes'),
    discounts: sumOf('discounts'),
    refunds: sumOf('refunds'),
    net: sumOf('net'),
  };
  return { startDate, endDate, currency, total, items: items.items, categories: items.categories };
}

/** Returns the categories of the items of a scope that have one, by the ID of the item. */
async function categoriesOf(deps: Dependencies, { tenantId, merchantId }: Scope): Promise<ReadonlyMap<string, string>> {
  const found = queries.selectFrom('items').select(['id', 'category']).where('tenant_id', '=', TENANT).where('category', 'is not', null);
  const own = merchantId === undefined ? found : found.where('merchant_id', '=', merchantId);
  const rows = await deps.database.read(tenantId).rows(own);
  return new Map(rows.flatMap(({ id, category }) => (category === null ? [] : [[id, category]])));
}

/** Last sale of a block. */
interface Position {
  readonly merchant_id: string;
  readonly day: string;
  readonly id: string;
}

/** Returns the merchants of a scope, from one of them on. In this form SQLite reads the sales by merchant and day, and not all of the tenant. */
function merchantsFrom({ merchantId }: Scope, first: string) {
  const merchants = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT).where('id', '>=', first);
  return merchantId === undefined ? merchants : merchants.where('id', '=', merchantId);
}

/** Returns the condition for sales after a position, in the order of merchants, days and IDs. */
const isAfter = (after: Position, day: 'day' | 'paid_day' = 'day') =>
  sql<boolean>`(merchant_id > ${after.merchant_id} or ${sql.ref(day)} > ${after.day} or (${sql.ref(day)} = ${after.day} and id > ${after.id}))`;

/** Reads the rows of a query in blocks. Each block follows the last row of the one before. */
async function* blocksOf<Row extends Position>(read: Read, after: (last: Position | null) => Query<Row>): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = await read.rows(after(last ?? null));
    yield rows;
    last = rows.at(-1);
    if (rows.length < CHUNK) break;
  }
}

/** Reads the paid, itemized sales of a scope in blocks: payments that are captured, tenders, and orders, whose payments have no lines. */
async function* itemizedSales(deps: Dependencies, scope: Scope): AsyncGenerator<readonly ItemizedSale[]> {
  const read = deps.database.read(scope.tenantId).heavy;
  const payments = (after: Position | null) => {
    const found = queries
      .selectFrom('transactions')
      .select(['id', 'merchant_id', 'day', 'line_items', 'captured_minor', 'refunded_minor', 'tip_minor', 'surcharge_minor'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', 'in', merchantsFrom(scope, after?.merchant_id ?? ''))
      .where('line_items', 'is not', null)
      .where('day', '>=', scope.startDate)
      .where('day', '<=', scope.endDate)
      .where('currency', '=', scope.currency)
      .where('status', '=', 'approved')
      .where('captured_minor', '>', lit(0));
    const following = after === null ? found : found.where(isAfter(after));
    return following.orderBy('merchant_id').orderBy('day').orderBy('id').limit(CHUNK);
  };
  for await (const rows of blocksOf(read, payments))
    yield rows.map((row) => ({
      id: row.id,
      lines: row.line_items ?? '[]',
      base: row.captured_minor - row.tip_minor - row.surcharge_minor,
      paid: row.captured_minor,
      refunded: row.refunded_minor,
    }));
  const tenders = (after: Position | null) => {
    const found = queries
      .selectFrom('tenders')
      .select(['id', 'merchant_id', 'day', 'line_items', 'amount_minor', 'refunded_minor'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', 'in', merchantsFrom(scope, after?.merchant_id ?? ''))
      .where('line_items', 'is not', null)
      .where('day', '>=', scope.startDate)
      .where('day', '<=', scope.endDate)
      .where('currency', '=', scope.currency);
    const following = after === null ? found : found.where(isAfter(after));
    return following.orderBy('merchant_id').orderBy('day').orderBy('id').limit(CHUNK);
  };
  for await (const rows of blocksOf(read, tenders))
    yield rows.map((row) => ({
      id: row.id,
      lines: row.line_items ?? '[]',
      base: row.amount_minor,
      paid: row.amount_minor,
      refunded: row.refunded_minor,
    }));
  const orders = (after: Position | null) => {
    const found = queries
      .selectFrom('orders')
      .select(['id', 'merchant_id', 'paid_day', 'line_items', 'amount_minor', 'refunded_minor'])
      .select((row) => [
        row.ref('paid_day').$notNull().as('day'),
        loadsOf('amount_minor').as('cards'),
        loadsOf('loaded_minor').as('loaded'),
      ])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', 'in', merchantsFrom(scope, after?.merchant_id ?? ''))
      .where('line_items', 'is not', null)
      .where('paid_day', '>=', scope.startDate)
      .where('paid_day', '<=', scope.endDate)
      .where('currency', '=', scope.currency)
      .where('status', '=', lit('paid'));
    const following = after === null ? found : found.where(isAfter(after, 'paid_day'));
    return following.orderBy('merchant_id').orderBy('paid_day').orderBy('id').limit(CHUNK);
  };
  for await (const rows of blocksOf(read, orders))
    yield rows.map((row) => {
      const giftCards = Number(row.cards ?? 0);
      const goods = row.amount_minor - giftCards;
      // The other part of the refunds was taken off the gift cards.
      const refunded = row.refunded_minor - (giftCards - Number(row.loaded ?? 0));
      return {
        id: row.id,
        lines: row.line_items ?? '[]',
        base: goods,
        paid: goods,
        refunded: Math.min(Math.max(refunded, 0), goods),
        giftCards,
      };
    });
}

/** Returns the sum of a column of the gift cards that an order sells; null without any. */
const loadsOf = (column: 'amount_minor' | 'loaded_minor') =>
  queries
    .selectFrom('gift_card_loads as load')
    .select((row) => row.fn.sum<number | null>(`load.${column}`).as('sum'))
    .where('load.tenant_id', '=', TENANT)
    .whereRef('load.order_id', '=', 'orders.id' as never);

/** Sums of an item or a category, in minor units. */
interface Sums {
  count: number;
  thousandths: number;
  sales: number;
  taxes: number;
  discounts: number;
  refunds: number;
}

interface ItemSums extends Sums {
  readonly itemId: string | null;
  name: string;
  readonly category: string | null;
}

const noSums = (): Sums => ({ count: 0, thousandths: 0, sales: 0, taxes: 0, discounts: 0, refunds: 0 });

/** Sums sales by item and by category, the highest net sales first. `count` is the number of sales. */
export async function sumItems(
  blocks: AsyncIterable<readonly ItemizedSale[]>,
  currency: Currency,
  categoryOf: ReadonlyMap<string, string> = new Map(),
): Promise<{ readonly items: readonly ItemSales[]; readonly categories: readonly CategorySales[]; readonly count: number }> {
  const byItem = new Map<string, ItemSums>();
  const byCategory = new Map<string | null, Sums>();
  let count = 0;
  for await (const block of blocks)
    for (const sale of block) {
      const sold = withoutGiftCards(lineItemsOf(sale.lines, currency), sale.giftCards ?? 0);
      if (sold.length === 0) continue;
      count += 1;
      addSale({ byItem, byCategory, categoryOf }, sale, sold);
    }
  const shown = ({ count: sold, thousandths, sales, taxes, discounts, refunds }: Sums) => ({
    count: sold,
    quantity: thousandths / THOUSANDTHS,
    sales: money(sales, currency),
    taxes: money(taxes, currency),
    discounts: money(discounts, currency),
    refunds: money(refunds, currency),
    net: money(sales - refunds, currency),
  });
  const items = [...byItem.values()]
    .map((sums) => ({ itemId: sums.itemId, name: sums.name, category: sums.category, ...shown(sums) }))
    .sort((left, right) => right.net.minor - left.net.minor || (left.name < right.name ? -1 : 1));
  const categories = [...byCategory]
    .map(([category, sums]) => ({ category, ...shown(sums) }))
    .sort((left, right) => right.net.minor - left.net.minor || ((left.category ?? '') < (right.category ?? '') ? -1 : 1));
  return { items, categories: categories.some(({ category }) => category !== null) ? categories : [], count };
}

interface Totals {
  readonly byItem: Map<string, ItemSums>;
  readonly byCategory: Map<string | null, Sums>;
  readonly categoryOf: ReadonlyMap<string, string>;
}

/** Returns the lines of a sale before those of its gift cards. */
function withoutGiftCards(lines: readonly LineItem[], giftCards: number): readonly LineItem[] {
  let end = lines.length;
  for (let rest = giftCards; rest > 0 && end > 0; end -= 1) rest -= lines[end - 1]?.amount.minor ?? 0;
  return lines.slice(0, end);
}

function addSale(
  { byItem, byCategory, categoryOf }: Totals,
  { base, paid, refunded }: Pick<ItemizedSale, 'base' | 'paid' | 'refunded'>,
  sold: readonly LineItem[],
): void {
  const weights = sold.map(({ amount }) => amount.minor);
  // A part of an authorization may have been captured, so that less than the lines was paid.
  const sales = shareOut(base, weights);
  const refunds = shareOut(refundedBase(base, paid, refunded), sales);
  const taxes = sold.map(({ taxAmount, amount }, index) =>
    amount.minor === 0 ? 0 : Math.round((taxAmount.minor * (sales[index] ?? 0)) / amount.minor),
  );
  const counted = new Set<Sums>();
  for (const [index, { itemId, description, quantity, discountAmount }] of sold.entries()) {
    const key = itemId ?? `:${description}`;
    const category = (itemId === null ? undefined : categoryOf.get(itemId)) ?? null;
    const item = byItem.get(key) ?? { itemId, name: description, category, ...noSums() };
    item.name = description;
    byItem.set(key, item);
    const group = byCategory.get(category) ?? noSums();
    byCategory.set(category, group);
    for (const sums of [item, group]) {
      sums.count += counted.has(sums) ? 0 : 1;
      sums.thousandths += Math.round(quantity * THOUSANDTHS);
      sums.sales += sales[index] ?? 0;
      sums.taxes += taxes[index] ?? 0;
      sums.discounts += discountAmount.minor;
      sums.refunds += refunds[index] ?? 0;
      counted.add(sums);
    }
  }
}

/** Returns the part of the refunds that returns the base: in proportion, and all of it once everything is refunded. */
function refundedBase(base: number, paid: number, refunded: number): number {
  if (refunded === 0 || paid === 0) return 0;
  return refunded >= paid ? base : Number((BigInt(base) * BigInt(refunded)) / BigInt(paid));
}
