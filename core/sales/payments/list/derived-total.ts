import { conditionsOn, lit, type Read } from '#core/database';
import { BANK_ACCOUNT, CONCLUDED_STATUSES, sumDailyAggregates } from '../aggregates/daily-aggregates.ts';
import { TRANSACTIONS } from '../schema.ts';
import { aggregatedPeriod } from './aggregated-period.ts';
import { areFew, type FewPayments, ofChannel, refundedPayments, refundedRows, sourceOf } from './exceptional-payments.ts';
import { countByDays, countedCondition, countOf, type ListCondition, pendingRows, type TransactionFilter } from './list.ts';

const transaction = conditionsOn(TRANSACTIONS);
const NOT_REFUNDED = transaction('refunded_minor', '=', lit(0));

/** Fields of a filter whose total can be derived, and whose columns the index of refunded payments contains. */
const DERIVED_FIELDS: ReadonlySet<string> = new Set<keyof TransactionFilter>([
  'startDate',
  'endDate',
  'merchantId',
  'status',
  'type',
  'paymentMethod',
  'brand',
  'settled',
  'refundStatus',
]);

const isDerived = (filter: TransactionFilter) =>
  Object.entries(filter).every(([name, value]) => value === undefined || DERIVED_FIELDS.has(name));

/** Counts the rows of a condition chunk by chunk; see `chunked-scan.ts`. */
type CountInChunks = (condition: ListCondition) => Promise<number>;

/**
 * Returns the source of a filter that an index of exceptional payments contains: refunded or unsettled ones. Undefined if there is none, or if the
 * unsettled payments are many.
 */
export async function sourceFor(read: Read, filter: TransactionFilter): Promise<ListCondition['source']> {
  const { settled, refundStatus, status } = filter;
  if (status === 'authorized' && (await areFew(read, 'uncaptured'))) return sourceOf('uncaptured');
  if (settled === 'false' && (await areFew(read, 'unsettled'))) return sourceOf('unsettled');
  if (refundStatus !== 'partial' && refundStatus !== 'full') return filter.channel && ofChannel(filter.channel);
  return isDerived(filter) ? refundedRows : refundedPayments;
}

/**
 * Returns the total of a filter by settlement, brand or without refunds: the number from counters and aggregates, less the exceptional payments, which an
 * index contains. Null if the filter has other fields, or if the exceptional payments are many.
 */
export async function derivedTotal(
  read: Read,
  filter: TransactionFilter,
  condition: ListCondition,
  countInChunks: CountInChunks,
): Promise<number | null> {
  const { settled, refundStatus, status } = filter;
  if (!isDerived(filter) || status === 'authorized' || settled === 'false' || refundStatus === 'partial' || refundStatus === 'full')
    return null;
  const isSettled = settled === 'true' || status === 'settled';
  const kinds: readonly FewPayments[] = isSettled ? ['unsettled', 'uncaptured', 'settledUnapproved'] : [];
  if (!(await Promise.all(kinds.map((kind) => areFew(read, kind)))).every(Boolean)) return null;
  const unapproved = isSettled ? await countOf(read, TRANSACTIONS, { ...condition, source: sourceOf('settledUnapproved') }) : 0;
  if (isSettled && status !== undefined && status !== 'approved' && status !== 'settled') return unapproved;

  const { startDate, endDate, merchantId, type, paymentMethod, brand } = filter;
  const base = { startDate, endDate, merchantId, type, paymentMethod, brand, status: isSettled ? ('approved' as const) : status };
  const baseCondition = countedCondition(base);
  const isUnrefunded = refundStatus === 'none';
  const excluded = isUnrefunded ? { ...baseCondition, parts: [...baseCondition.parts, NOT_REFUNDED] } : baseCondition;
  const counts = await Promise.all([
    brand === undefined ? countByDays(read, base, baseCondition) : countByBrand(read, base, baseCondition),
    isSettled ? countOf(read, TRANSACTIONS, { ...excluded, source: sourceOf('unsettled') }) : 0,
    isSettled ? countOf(read, TRANSACTIONS, { ...excluded, source: sourceOf('uncaptured') }) : 0,
    isUnrefunded ? countInChunks({ ...baseCondition, source: refundedRows }) : 0,
  ]);
  const [all, unsettled, uncaptured, refunded] = counts;
  return all - unsettled - uncaptured - refunded + unapproved;
}

/** Returns the total of a filter by brand from daily aggregates, plus the few pending payments. */
async function countByBrand(read: Read, filter: TransactionFilter, condition: ListCondition): Promise<number> {
  const { status, merchantId, type, paymentMethod: method, brand = BANK_ACCOUNT } = filter;
  const facts = CONCLUDED_STATUSES.filter((concluded) => status === undefined || status === concluded);
  const period = facts.length === 0 ? null : await aggregatedPeriod(read, filter);
  const sums =
    period === null ? [] : await sumDailyAggregates(read, { facts, ...period, merchantId, type, method, brand, measure: 'count' }, []);
  const concluded = sums.reduce((total, { n }) => total + n, 0);
  if (status !== undefined && status !== 'pending') return concluded;
  const pending = await read.row(pendingRows(condition).select(({ fn }) => fn.countAll<number>().as('n')));
  return concluded + Number(pending?.n ?? 0);
}
