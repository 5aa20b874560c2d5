import { idCursorOf, type Page, type PageRequest, rowsToRead } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Payments, Transaction, TransactionFilter } from '#core/sales/payments';
import type { Tender, TenderFilter, Tenders } from '#core/sales/tenders';
import { type PaymentFilter, tenderFilterOf, transactionFilterOf } from './filter.ts';
import { lineOfTender, lineOfTransaction, type PaymentLine } from './line.ts';
import { type ItemRange, merge, mergedRange, mergeStreams, type OrderedList } from './merge.ts';
import type { ListedPayment } from './records.ts';

export type { PaymentFilter } from './filter.ts';
export type { PaymentLine } from './line.ts';
export { Payment, paymentRecord } from './records.ts';

interface Dependencies {
  readonly payments: Pick<Payments, 'page' | 'range' | 'transactionLines'>;
  readonly tenders: Pick<Tenders, 'page' | 'range'>;
}

type PositionedPayment = ListedPayment & { readonly position: string };

const LINES_PER_BLOCK = 200;

/** Returns the part of an ID after its prefix, which sorts all IDs by time. */
const positionOf = (id: string) => id.slice(id.indexOf('_'));
const idAt = (prefix: 'txn' | 'tnd', position: string | undefined) => (position === undefined ? undefined : `${prefix}${position}`);
const ofTransaction = (transaction: Transaction): PositionedPayment => ({ transaction, position: positionOf(transaction.transactionId) });
const ofTender = (tender: Tender): PositionedPayment => ({ tender, position: positionOf(tender.tenderId) });

export type PaymentList = ReturnType<typeof createPaymentList>;

/** Transactions and tenders as one list, newest first. Callers without `tenders:read` see the transactions only. */
export function createPaymentList(deps: Dependencies) {
  return {
    page: (actor: Actor, filter: PaymentFilter, request: PageRequest) => page(deps, actor, filter, request),
    /** Yields the payments for a file: tenders only to callers who may export them. */
    lines: (actor: Actor, filter: PaymentFilter) => lines(deps, actor, filter),
  };
}

function filtersOf(actor: Actor, filter: PaymentFilter) {
  const tenderFilter = tenderFilterOf(filter);
  return { transactionFilter: transactionFilterOf(filter), tenderFilter: actor.permissions.has('tenders:read') ? tenderFilter : null };
}

async function page(deps: Dependencies, actor: Actor, filter: PaymentFilter, request: PageRequest): Promise<Page<ListedPayment>> {
  const { transactionFilter, tenderFilter } = filtersOf(actor, filter);
  const { limit } = request;
  const cursor = idCursorOf(request, 'txn', 'tnd');
  const position = cursor === undefined ? undefined : positionOf(cursor);
  const requestFor = (prefix: 'txn' | 'tnd', of: { page: number; limit: number }): PageRequest =>
    position === undefined ? of : { ...of, cursor: `${prefix}${position}` };
  const transactions = (of: { page: number; limit: number }) =>
    transactionFilter === null ? emptyPage<Transaction>() : deps.payments.page(actor, transactionFilter, requestFor('txn', of));
  const tenders = (of: { page: number; limit: number }) =>
    tenderFilter === null ? emptyPage<Tender>() : deps.tenders.page(actor, tenderFilter, requestFor('tnd', of));

  const isDeep = position === undefined && request.page > 1 && transactionFilter !== null && tenderFilter !== null;
  const first = isDeep ? { page: 1, limit: 1 } : { page: request.page, limit };
  const [transactionPage, tenderPage] = await Promise.all([transactions(first), tenders(first)]);
  const found = isDeep
    ? await mergedRange(
        transactionsInOrder(deps, actor, transactionFilter, transactionPage.total),
        tendersInOrder(deps, actor, tenderFilter, tenderPage.total),
        { skip: (Math.trunc(request.page) - 1) * limit, limit: rowsToRead(limit) },
      )
    : merge(transactionPage.items.map(ofTransaction), tenderPage.items.map(ofTender), rowsToRead(limit));
  const items = found.slice(0, limit);
  const isFollowed = found.length > limit || (!isDeep && (transactionPage.nextCursor !== null || tenderPage.nextCursor !== null));
  const last = isFollowed ? items.at(-1) : undefined;
  return {
    items,
    page: request.page,
    limit,
    total: transactionPage.total + tenderPage.total,
    nextCursor: last === undefined ? null : 'tender' in last ? last.tender.tenderId : last.transaction.transactionId,
  };
}

const emptyPage = async <Item>(): Promise<Pick<Page<Item>, 'items' | 'total' | 'nextCursor'>> => ({
  items: [],
  total: 0,
  nextCursor: null,
});

const transactionsInOrder = (
  deps: Dependencies,
  actor: Actor,
  filter: TransactionFilter,
  total: number,
): OrderedList<PositionedPayment> => ({
  total,
  read: async (range) => (await deps.payments.range(actor, filter, withId('txn', range))).map(ofTransaction),
});

const tendersInOrder = (deps: Dependencies, actor: Actor, filter: TenderFilter, total: number): OrderedList<PositionedPayment> => ({
  total,
  read: async (range) => (await deps.tenders.range(actor, filter, withId('tnd', range))).map(ofTender),
});

const withId = (prefix: 'txn' | 'tnd', { below, ...range }: ItemRange) => ({ ...range, below: idAt(prefix, below) });

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
const withPosition = (line: PaymentLine) => ({ ...line, position: positionOf(line.paymentId) });

async function* nothing(): PositionedLines {}

async function* transactionLines(deps: Dependencies, actor: Actor, filter: TransactionFilter): PositionedLines {
  for await (const block of deps.payments.transactionLines(actor, filter)) yield block.map((line) => withPosition(lineOfTransaction(line)));
}

async function* tenderLines(deps: Dependencies, actor: Actor, filter: TenderFilter): PositionedLines {
  let below: string | undefined;
  do {
    const block = await deps.tenders.range(actor, filter, { below, skip: 0, limit: LINES_PER_BLOCK });
    yield block.map((tender) => withPosition(lineOfTender(tender)));
    below = block.length === LINES_PER_BLOCK ? block.at(-1)?.tenderId : undefined;
  } while (below !== undefined);
}
