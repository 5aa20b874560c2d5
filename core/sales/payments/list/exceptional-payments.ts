import { type Condition, lit, queriesOn, type Read, rowsOf, TENANT } from '#core/database';
import { CHANNELS, type Channel } from '#shared/channels';
import { TRANSACTIONS } from '../schema.ts';
import type { Source } from './list.ts';

const queries = queriesOn(TRANSACTIONS);
const ofTenant = queries.selectFrom('transactions').where('tenant_id', '=', TENANT);

/** More than the number of rows of any table. The limit keeps SQLite, which has no statistics, from using the index of another condition. */
const ALL = Number.MAX_SAFE_INTEGER;
type Rows = ReturnType<typeof rowsOf>;

/** Returns the query for the refunded payments in a range of IDs, with the columns of their index. */
export const refundedRows: Source = (range: readonly Condition[]) => {
  const rows = range.reduce((narrowed, part) => narrowed.where(part), ofTenant.where('refunded_minor', '>', lit(0)));
  return queries.selectFrom(
    rows
      .select(['id', 'merchant_id', 'type', 'method', 'status', 'card_brand', 'captured_minor', 'refunded_minor', 'settled_at'])
      .orderBy('id', 'desc')
      .limit(ALL)
      .as('refunded'),
  ) as unknown as Rows;
};

/** Returns the query for the refunded payments in a range of IDs, with all columns. */
export const refundedPayments: Source = (range: readonly Condition[]) =>
  rowsOf(TRANSACTIONS).where('id', 'in', refundedRows(range).select('id') as never);

const CHANNEL_SOURCES = new Map(
  CHANNELS.map((channel): [Channel, Source] => [
    channel,
    (range, isOfIds = false) => {
      const rows = range.reduce((narrowed, part) => narrowed.where(part), ofTenant.where('channel', '=', channel)).select('id');
      if (isOfIds) return rows as unknown as Rows;
      return rowsOf(TRANSACTIONS).where('id', 'in', rows.orderBy('id', 'desc').limit(ALL) as never);
    },
  ]),
);

/** Returns the source of the payments of a channel. */
export const ofChannel = (channel: Channel): Source | undefined => CHANNEL_SOURCES.get(channel);

const MANY_PAYMENTS: ReadonlySet<Source> = new Set([refundedRows, refundedPayments, ...CHANNEL_SOURCES.values()]);

/** Returns true if a source contains few payments, so that one statement may read all of them. */
export const isFew = (source: Source) => !MANY_PAYMENTS.has(source);

/** IDs of the captured payments that belong to no settlement. */
const UNSETTLED = ofTenant
  .where('settled_at', 'is', null)
  .where('captured_minor', '>', lit(0))
  .select('id')
  .orderBy('captured_at', 'desc')
  .limit(ALL);
/** IDs of the approved payments without a capture, such as open authorizations. */
const UNCAPTURED = ofTenant
  .where('status', '=', lit('approved'))
  .where('captured_minor', '=', lit(0))
  .where('settled_at', 'is', null)
  .select('id')
  .orderBy('id', 'desc')
  .limit(ALL);
/** IDs of the settled payments that are not approved. */
const SETTLED_UNAPPROVED = ofTenant
  .where('status', '<>', lit('approved'))
  .where('settled_at', 'is not', null)
  .select('id')
  .orderBy('id', 'desc')
  .limit(ALL);

const IDS = { unsettled: UNSETTLED, uncaptured: UNCAPTURED, settledUnapproved: SETTLED_UNAPPROVED };
/** A kind of payments that are usually few, because a settlement or a capture ends it. */
export type FewPayments = keyof typeof IDS;

/** Most payments of a kind that one statement reads; more are not few. */
const FEW = 5_000;

/** Returns true if a tenant has few payments of a kind. Reads index entries only. */
export async function areFew(read: Read, kind: FewPayments): Promise<boolean> {
  const counted = queries.selectFrom(IDS[kind].limit(FEW + 1).as('found')).select(({ fn }) => fn.countAll<number>().as('n'));
  return Number((await read.row(counted))?.n ?? 0) <= FEW;
}

/** Returns the source of the payments of a kind. The range is within the list of IDs, because SQLite would read all payments of the range otherwise. */
export const sourceOf =
  (kind: FewPayments): Source =>
  (range) => {
    const ids = range.reduce((rows, part) => rows.where(part), queries.selectFrom(IDS[kind].as('found')).select('id'));
    return rowsOf(TRANSACTIONS).where('id', 'in', ids as never);
  };
