import { lit, queriesOn, TENANT } from '#core/database';
import { type Caller, type Currency, money, ServiceError } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { READABLE_BALANCES, READABLE_TRANSFERS, type TransferKind } from '#core/records/ledger';
import { READABLE_GIFT_CARD_ENTRIES } from '#core/sales/gift-cards';
import type { Dependencies } from './dependencies.ts';
import { GIFT_CARD_GROUPS, type GiftCardPoint, type GiftCardReport, type GiftCardSums } from './records.ts';
import { type AnalyticsQuery, type Scope, scopeOf } from './scope.ts';
import { isByTime, pointOf, pointsOf } from './series.ts';

const queries = queriesOn(READABLE_TRANSFERS, READABLE_BALANCES, READABLE_GIFT_CARD_ENTRIES, READABLE_MERCHANTS);

/** Every kind of movement of what is owed to holders of gift cards: 1 if it adds, -1 if it takes off. */
const SIGNS = {
  gift_card_sold: 1,
  gift_card_given: 1,
  gift_card_imported: 1,
  gift_card_refund: 1,
  store_credit_refund: 1,
  gift_card_reinstated: 1,
  gift_card_sale: -1,
  gift_card_taken_back: -1,
  gift_card_expired: -1,
} as const satisfies Partial<Record<TransferKind, 1 | -1>>;
type Kind = keyof typeof SIGNS;
const KINDS = Object.keys(SIGNS) as Kind[];

/** Movements of one kind at a point, or the present balance. Amounts are in minor units. */
interface Movement {
  /** Day or merchant. */
  readonly point: string;
  readonly movement: Kind | 'balance';
  /** 1 for movements after the period. */
  readonly is_later: number;
  /** 1 for the first amount of a card. */
  readonly is_issue: number;
  readonly n: number;
  readonly amount: number;
}

/**
 * Returns the movements of gift cards and store credit, and the amount that is owed to their holders at the end of each point. One statement reads the
 * movements and the balance of the ledger, so that they agree at any time. @throws ServiceError as the other reports.
 */
export async function giftCardReport(deps: Dependencies, actor: Caller, query: AnalyticsQuery): Promise<GiftCardReport> {
  const scope = await scopeOf(deps, actor, query);
  const { groupBy, currency, startDate, endDate } = scope;
  if (!isGroup(groupBy))
    throw new ServiceError('VALIDATION_ERROR', `\`groupBy\` must be one of ${GIFT_CARD_GROUPS.join(', ')}.`, { field: 'groupBy' });
  const all = await movementsOf(deps, scope);
  const movements = all.filter(({ is_later, movement }) => is_later === 0 && movement !== 'balance');
  const opening = openingOf(all);
  const ofPoint = Map.groupBy(movements, ({ point }) => (isByTime(groupBy) ? pointOf(groupBy, point) : point));
  const series: GiftCardPoint[] = [];
  if (isByTime(groupBy)) {
    let openMinor = opening;
    for (const key of pointsOf(groupBy, startDate, endDate)) {
      const own = ofPoint.get(key) ?? [];
      openMinor += changeOf(own);
      series.push({ key, label: key, ...sumsOf(own, currency), openAmount: money(openMinor, currency) });
    }
  } else {
    for (const [key, own] of Map.groupBy(all, ({ point }) => point)) {
      const { name: label } = await deps.merchantFor(actor, key);
      const moved = ofPoint.get(key) ?? [];
      series.push({ key, label, ...sumsOf(moved, currency), openAmount: money(openingOf(own) + changeOf(moved), currency) });
    }
    series.sort((left, right) => (left.key < right.key ? -1 : 1));
  }
  return {
    startDate,
    endDate,
    currency,
    groupBy,
    openingAmount: money(opening, currency),
    totals: { ...sumsOf(movements, currency), openAmount: money(opening + changeOf(movements), currency) },
    series,
  };
}

const isGroup = (groupBy: string): groupBy is GiftCardReport['groupBy'] => (GIFT_CARD_GROUPS as readonly string[]).includes(groupBy);

const changeOf = (movements: readonly Movement[]) =>
  movements.reduce((sum, { movement, amount }) => sum + (movement === 'balance' ? 0 : SIGNS[movement] * amount), 0);

/** Returns what was owed before the period: the present balance without the movements since then. */
const openingOf = (movements: readonly Movement[]) =>
  movements.filter(({ movement }) => movement === 'balance').reduce((sum, { amount }) => sum + amount, 0) - changeOf(movements);

async function movementsOf(
  deps: Dependencies,
  { tenantId, merchantId, currency, startDate, endDate, groupBy }: Scope,
): Promise<Movement[]> {
  const merchants = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);
  const own = merchantId === undefined ? merchants : merchants.where('id', '=', merchantId);
  const isByMerchant = groupBy === 'merchant';
  const moved = queries
    .selectFrom('ledger_transfers as moved')
    .leftJoin('gift_card_entries as entry', (join) =>
      join.onRef('entry.tenant_id', '=', 'moved.tenant_id').onRef('entry.id', '=', 'moved.id'),
    )
    .select(({ eb, fn, not, exists, and }) => [
      isByMerchant ? 'moved.merchant_id as point' : 'moved.day as point',
      'moved.kind as movement',
      eb.case().when('moved.day', '>', endDate).then(lit<number>(1)).else(lit<number>(0)).end().as('is_later'),
      eb
        .case()
        .when(
          and([
            eb('entry.id', 'is not', null),
            not(
              exists(
                queries
                  .selectFrom('gift_card_entries as earlier')
                  .select('earlier.id')
                  .where('earlier.tenant_id', '=', TENANT)
                  .whereRef('earlier.gift_card_id', '=', 'entry.gift_card_id' as never)
                  .whereRef('earlier.id', '<', 'entry.id' as never),
              ),
            ),
          ]),
        )
        .then(lit<number>(1))
        .else(lit<number>(0))
        .end()
        .as('is_issue'),
      fn.countAll<number>().as('n'),
      fn.sum<number>('moved.amount_minor').as('amount'),
    ])
    .where('moved.tenant_id', '=', TENANT)
    .where('moved.merchant_id', 'in', own)
    .where('moved.day', '>=', startDate)
    .where(
      'moved.kind',
      'in',
      KINDS.map((kind) => lit(kind)),
    )
    .where('moved.currency', '=', currency)
    .groupBy(['point', 'movement', 'is_later', 'is_issue']);
  const balances = queries
    .selectFrom('ledger_balances as held')
    .select(({ fn, neg, ref }) => [
      isByMerchant ? ref('held.merchant_id').as('point') : lit<string>('').as('point'),
      lit('balance').as('movement'),
      lit<number>(0).as('is_later'),
      lit<number>(0).as('is_issue'),
      fn.countAll<number>().as('n'),
      neg(fn.sum<number>('held.n')).as('amount'),
    ])
    .where('held.tenant_id', '=', TENANT)
    .where('held.merchant_id', 'in', own)
    .where('held.account', '=', lit('gift_cards'))
    .where('held.currency', '=', currency)
    .groupBy('held.merchant_id');
  const rows = await deps.database
    .read(tenantId)
    .heavy.rows(queries.selectFrom(moved.$castTo<Movement>().unionAll(balances.$castTo<Movement>()).as('found')).selectAll());
  return rows.map((row) => ({
    ...row,
    is_later: Number(row.is_later),
    is_issue: Number(row.is_issue),
    n: Number(row.n),
    amount: Number(row.amount),
  }));
}

function sumsOf(movements: readonly Movement[], currency: Currency): Omit<GiftCardSums, 'openAmount'> {
  const of = (kinds: readonly Kind[], isIssue?: 0 | 1) =>
    movements.filter(
      ({ movement, is_issue }) => (kinds as readonly string[]).includes(movement) && (isIssue === undefined || is_issue === isIssue),
    );
  const amount = (kinds: readonly Kind[], isIssue?: 0 | 1) =>
    money(
      of(kinds, isIssue).reduce((sum, { amount: minor }) => sum + minor, 0),
      currency,
    );
  const count = (kinds: readonly Kind[], isIssue?: 0 | 1) => of(kinds, isIssue).reduce((sum, { n }) => sum + n, 0);
  const LOADS = ['gift_card_sold', 'gift_card_given'] as const;
  return {
    issuedCount: count(LOADS, 1),
    issuedAmount: amount(LOADS, 1),
    reloadedCount: count(LOADS, 0),
    reloadedAmount: amount(LOADS, 0),
    givenAmount: amount(['gift_card_given']),
    importedAmount: amount(['gift_card_imported']),
    redeemedCount: count(['gift_card_sale']),
    redeemedAmount: amount(['gift_card_sale']),
    refundedAmount: amount(['gift_card_refund', 'store_credit_refund']),
    takenBackAmount: amount(['gift_card_taken_back']),
    expiredAmount: amount(['gift_card_expired']),
    reinstatedAmount: amount(['gift_card_reinstated']),
  };
}
