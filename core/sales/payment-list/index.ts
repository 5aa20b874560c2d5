import {
  cursorAt,
  type ListOrder,
  type OrderedPlace,
  orderOf,
  type Page,
  type PageRequest,
  placeFrom,
  type RowRange,
  rowsToRead,
} from '#core/database';
import { type Actor, bind } from '#core/kernel';
import { type ListTotal, listTotals } from '#core/platform/list-totals';
import type { Payments, Transaction, TransactionFilter } from '#core/sales/payments';
import type { Tender, TenderFilter, Tenders } from '#core/sales/tenders';
import { type PaymentFilter, tenderFilterOf, transactionFilterOf } from './filter.ts';
import { lineOfTender, lineOfTransaction, type PaymentLine } from './line.ts';
import { type ItemRange, merge, mergedRange, mergeStreams } from './merge.ts';
import type { ListedPayment } from './records.ts';

export type { PaymentFilter } from './filter.ts';
export type { PaymentLine } from './line.ts';
export { orderIdOf, Payment, paymentRecord } from './records.ts';

interface Dependencies {
  readonly payments: Pick<Payments, 'page' | 'range' | 'netSums' | 'transactionLines'>;
  readonly tenders: Pick<Tenders, 'page' | 'range' | 'netSums'>;
}

type PositionedPayment = ListedPayment & { readonly position: string };

const LINES_PER_BLOCK = 200;

/** Columns of the fields by which the list can be sorted. */
const SORTS = { createdAt: 'id', amount: 'amount_minor' };
const AMOUNT_DIGITS = 16;

/** Positions of the payments in an order: the amount if it is by amount, and the part of the ID after its prefix, which sorts all IDs by time. */
function positionsOf(order: ListOrder) {
  const isByAmount = order.column !== 'id';
  const at = (minor: OrderedPlace['value'], id: string) =>
    `${isByAmount ? String(minor).padStart(AMOUNT_DIGITS, '0') : ''}${id.slice(id.indexOf('_'))}`;
  return {
    ofTransaction: (transaction: Transaction): PositionedPayment => ({
      transaction,
      position: at(transaction.amount.minor, transaction.transactionId),
    }),
    ofTender: (tender: Tender): PositionedPayment => ({ tender, position: at(tender.amount.minor, tender.tenderId) }),
    ofPlace: ({ value, id }: OrderedPlace) => at(value, id),
    /** Returns the place of a position in the list of the transactions or tenders. */
    placeOf: (prefix: 'txn' | 'tnd', position: string): OrderedPlace => {
      const id = `${prefix}${position.slice(isByAmount ? AMOUNT_DIGITS : 0)}`;
      return { value: isByAmount ? Number(position.slice(0, AMOUNT_DIGITS)) : id, id };
    },
  };
}

export type PaymentList = ReturnType<typeof createPaymentList>;

/** Transactions and tenders as one list, by default newest first. Callers without `tenders:read` see the transactions only. */
export function createPaymentList(deps: Dependencies) {
  return {
    ...bind(deps, { page, totals, lines }),
  };
}

function filtersOf(actor: Actor, filter: PaymentFilter) {
  const tenderFilter = tenderFilterOf(filter);
  return { transactionFilter: transactionFilterOf(filter), tenderFilter: actor.permissions.has('tenders:read') ? tenderFilter : null };
}

async function page(deps: Dependencies, actor: Actor, filter: PaymentFilter, request: PageRequest): Promise<Page<ListedPayment>> {
  const { transactionFilter, tenderFilter } = filtersOf(actor, filter);
  const { limit } = request;
  const order = orderOf(SORTS, request.sort);
  const positions = positionsOf(order);
  const place = placeFrom(order, request, 'txn', 'tnd');
  const position = place && positions.ofPlace(place);
  const requestFor = (prefix: 'txn' | 'tnd', of: { page: number; limit: number }): PageRequest => ({
    ...of,
    ...(request.sort && { sort: request.sort }),
    ...(position && { cursor: cursorAt(order, positions.placeOf(prefix, position)) }),
  });
  const transactions = (of: { page: number; limit: number }) =>
    transactionFilter === null ? emptyPage<Transaction>() : deps.payments.page(actor, transactionFilter, requestFor('txn', of));
  const tenders = (of: { page: number; limit: number }) =>
    tenderFilter === null ? emptyPage<Tender>() : deps.tenders.page(actor, tenderFilter, requestFor('tnd', of));

  const isDeep = position === undefined && request.page > 1 && transactionFilter !== null && tenderFilter !== null;
  const first = isDeep ? { page: 1, limit: 1 } : { page: request.page, limit };
  const [transactionPage, tenderPage] = await Promise.all([transactions(first), tenders(first)]);
  const rangeIn = (prefix: 'txn' | 'tnd', { after, ...range }: ItemRange): RowRange => ({
    ...range,
    order,
    after: after === undefined ? undefined : positions.placeOf(prefix, after),
  });
  const { isDescending } = order;
  const found = isDeep
    ? await mergedRange<PositionedPayment>(
        {
          total: transactionPage.total,
          read: async (range) => (await deps.payments.range(actor, transactionFilter, rangeIn('txn', range))).map(positions.ofTransaction),
        },
        {
          total: tenderPage.total,
          read: async (range) => (await deps.tenders.range(actor, tenderFilter, rangeIn('tnd', range))).map(positions.ofTender),
        },
        { skip: (Math.trunc(request.page) - 1) * limit, limit: rowsToRead(limit), isDescending },
      )
    : merge(transactionPage.items.map(positions.ofTransaction), tenderPage.items.map(positions.ofTender), rowsToRead(limit), isDescending);
  const items = found.slice(0, limit);
  const isFollowed = found.length > limit || (!isDeep && (transactionPage.nextCursor !== null || tenderPage.nextCursor !== null));
  const last = isFollowed ? items.at(-1) : undefined;
  return {
    items,
    page: request.page,
    limit,
    total: transactionPage.total + tenderPage.total,
    nextCursor: last === undefined ? null : cursorAt(order, positions.placeOf('tender' in last ? 'tnd' : 'txn', last.position)),
  };
}

/** Returns the number and the captured amount less refunds of the payments of a filter, by currency. */
async function totals(deps: Dependencies, actor: Actor, filter: PaymentFilter): Promise<ListTotal[]> {
  const { transactionFilter, tenderFilter } = filtersOf(actor, filter);
  const sums = new Map<string, { count: number; minor: number }>();
  for (const part of await Promise.all([
    transactionFilter && deps.payments.netSums(actor, transactionFilter),
    tenderFilter && deps.tenders.netSums(actor, tenderFilter),
  ]))
    for (const [currency, { count, minor }] of part ?? []) {
      const sum = sums.get(currency) ?? { count: 0, minor: 0 };
      sums.set(currency, { count: sum.count + count, minor: sum.minor + minor });
    }
  return listTotals(sums);
}

const emptyPage = async <Item>(): Promise<Pick<Page<Item>, 'items' | 'total' | 'nextCursor'>> => ({
  items: [],
  total: 0,
  nextCursor: null,
});

/** Yields every payment of a filter, newest first, in blocks. Throws the same errors as the list. */
function lines(deps: Dependencies, actor: Actor, filter: PaymentFilter): AsyncGenerator<readonly PaymentLine[]> {
  const { transactionFilter, tenderFilter } = filtersOf(actor, filter);
  return mergeStreams(
    transactionFilter === null ? nothing() : transactionLines(deps, actor, transactionFilter),
    tenderFilter === null || !actor.permissions.has('tenders:export') ? nothing() : tenderLines(deps, actor, tenderFilter),
    LINES_PER_BLOCK,
  );
}

type PositionedLines = AsyncGenerator<readonly (PaymentLine & { readonly position: string })[]>;
const withPosition = (line: PaymentLine) => ({ ...line, position: line.paymentId.slice(line.paymentId.indexOf('_')) });

async function* nothing(): PositionedLines {}

async function* transactionLines(deps: Dependencies, actor: Actor, filter: TransactionFilter): PositionedLines {
  for await (const block of deps.payments.transactionLines(actor, filter)) yield block.map((line) => withPosition(lineOfTransaction(line)));
}

async function* tenderLines(deps: Dependencies, actor: Actor, filter: TenderFilter): PositionedLines {
  let last: string | undefined;
  do {
    const after = last === undefined ? undefined : { value: last, id: last };
    const block = await deps.tenders.range(actor, filter, { after, skip: 0, limit: LINES_PER_BLOCK });
    yield block.map((tender) => withPosition(lineOfTender(tender)));
    last = block.length === LINES_PER_BLOCK ? block.at(-1)?.tenderId : undefined;
  } while (last !== undefined);
}
