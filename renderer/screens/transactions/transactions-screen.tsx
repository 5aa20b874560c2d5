import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAddress } from '#renderer/base/address';
import { type PageOf, type Payment, type PaymentQuery, queryClient } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordList, Totals } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { useRecordAddress } from '#renderer/kit/record';
import { announce, dayText, EmptyState, type ListHandle, Screen, SearchBox, sentenceCase, showToast } from '#renderer/kit/ui';
import { daysText, GoToDate } from '#renderer/session/date-entry';
import { ExportCsvButton } from '#renderer/session/download';
import { PERIOD_OPTIONS } from '#renderer/session/periods';
import { useToday } from '#renderer/session/tenant-clock';
import { useIsFrontDesk, useMay, useMerchant } from '#renderer/session/user';
import { methodOf, payerOf } from '#renderer/shared/tenders';
import { BRAND_OPTIONS } from './brand-options.ts';
import { columnsFor } from './columns.tsx';
import { DetailDrawer } from './detail-drawer.tsx';
import { ADDRESS, addressOf, filterOf, isFiltered, OPTION_FILTERS, queryOf, SORTS, type Sort, type TransactionFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { countQuery, listQuery, PAGE_SIZE, totalsQuery } from './queries.ts';
import { useBulkActions } from './use-bulk-actions.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['settlementDate', 'orderId', 'refundedAmount', 'channel', 'type', 'customer'];

/** Payments of a merchant of all kinds, with search, filters and a detail drawer. */
export function TransactionsScreen() {
  const merchant = useMerchant();
  const { filter, page, setFilter, setPage, sort, setSort, search } = useFilterInAddress();
  const { openId: transactionId, open, panel } = useRecordAddress('/transactions', search);
  const navigate = useNavigate();
  const rows = useRef<ListHandle>(null);
  const bulk = useBulkActions();
  const searchField = useRef<HTMLInputElement>(null);
  /** Search text for which Enter was pressed, until its result arrives. */
  const awaitedSearch = useRef<string>(undefined);

  const today = useToday();
  const query = useMemo(() => queryOf(filter, merchant.merchantId, today), [filter, merchant, today]);
  const list = useQuery(listQuery(query, sort, page));
  const count = useQuery({ ...countQuery(query), enabled: list.isSuccess && !list.isPlaceholderData });
  // Who may not see reports learns no sales of the day here.
  const maySum = useMay()('reporting:read');
  const totals = useQuery({ ...totalsQuery(query, list.data?.total ?? 0), enabled: maySum && list.isSuccess });
  const newCount = Math.max(0, (count.data ?? 0) - (list.data?.total ?? Number.POSITIVE_INFINITY));
  const isHeld = filter.status === 'authorized';
  const columns = useMemo(() => columnsFor(merchant, isHeld), [merchant, isHeld]);

  useFocusOnRequest(() => {
    searchField.current?.focus();
    searchField.current?.select();
  });

  const goingTo = useMutation({
    mutationFn: async (day: string) => {
      const before = beforeDay(query, sort, day);
      const isEmpty = before.startDate !== undefined && before.endDate !== undefined && before.startDate > before.endDate;
      return isEmpty ? 0 : queryClient.fetchQuery(countQuery(before));
    },
    onSuccess: (rows) => setPage(Math.min(Math.floor(rows / PAGE_SIZE) + 1, Math.ceil((list.data?.total ?? 1) / PAGE_SIZE))),
    onError: (failure) => showToast(failure.message),
  });

  const openMatch = (data: PageOf<Payment>) => {
    const [first] = data.items;
    awaitedSearch.current = undefined;
    if (first && data.total === 1) open(first.paymentId);
    else rows.current?.focusFirst();
    announce(data.total === 0 ? t('No transaction matches.') : t('{{count}} transactions match.', { count: data.total }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the awaited result arrives.
  useEffect(() => {
    if (awaitedSearch.current === undefined || awaitedSearch.current !== (filter.q ?? '') || !list.data || list.isPlaceholderData) return;
    openMatch(list.data);
  }, [filter.q, list.data, list.isPlaceholderData]);

  const showNewRows = () => {
    if (page > 1) setPage(1);
    void list.refetch();
  };

  return (
    <Screen
      title={isHeld ? t('Open authorizations') : t('Transactions')}
      fillsHeight
      subtitle={list.data ? factsOf(list.data.total, isFiltered(filter)) : ' '}
      actions={
        <>
          <SavedViews />
          <ExportCsvButton
            area="transactions"
            file={{ path: '/api/v1/payments/export', query, name: 'transactions.csv', rows: list.data?.total ?? 0 }}
            exported={(count) => t('{{count, number}} transactions exported', { count })}
          />
        </>
      }
      filter={
        <FilterBar filter={filter} onChange={setFilter}>
          <SearchBox
            label={t('Search transactions')}
            placeholder={t('Name, card, amount, order, ID')}
            widthPx={312}
            inputRef={searchField}
            value={filter.q ?? ''}
            onSearch={(q) => {
              const { q: _, ...rest } = filter;
              setFilter({ ...rest, ...(q && { q }) });
            }}
            onEnter={(text) => {
              awaitedSearch.current = text;
              if (text === (filter.q ?? '') && list.data && !list.isPlaceholderData) openMatch(list.data);
            }}
          />
        </FilterBar>
      }
    >
      {newCount > 0 && (
        <Box sx={{ display: 'flex', justifyContent: 'center', height: 0, position: 'relative', zIndex: 2 }}>
          <Button
            variant="contained"
            color="primary"
            size="small"
            startIcon={<ArrowUp size={14} aria-hidden />}
            onClick={showNewRows}
            sx={{ borderRadius: 5, position: 'absolute', top: -14 }}
          >
            {t('{{count, number}} new transactions', { count: newCount })}
          </Button>
        </Box>
      )}
      <RecordList
        ref={rows}
        bulk={bulk}
        totals={
          maySum && (
            <Totals label={isHeld ? t('Held') : t('Taken, less refunds')} shortLabel={isHeld ? t('Held') : t('Net')} totals={totals.data} />
          )
        }
        nameOf={nameOf}
        list="Transactions"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Transactions')}
        columns={columns}
        idOf={(row) => row.paymentId}
        page={page}
        sort={{ allowed: SORTS, value: sort, onSort: setSort }}
        onPage={setPage}
        goTo={sort.endsWith('createdAt') && <GoToDate onDay={(day) => goingTo.mutate(day)} />}
        openId={transactionId}
        onOpen={(row) => open(row.paymentId)}
        empty={
          isFiltered(filter) ? (
            <EmptyState title={t('No match')} action={<Button onClick={() => setFilter({})}>{t('Clear filters')}</Button>}>
              {t('No transaction matches {{filter}}.', { filter: describeFilter(filter) })}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('No transactions yet')}
              action={
                <Button variant="contained" color="primary" onClick={() => void navigate('/sell')}>
                  {t('New sale')}
                </Button>
              }
            >
              {t('Sales, authorizations and credits appear here, and payments in cash or by check.')}
            </EmptyState>
          )
        }
      />
      <DetailDrawer panel={panel} onOpen={open} />
    </Screen>
  );
}

/** Returns the filter of the rows that a list shows before those of a day. */
function beforeDay(query: PaymentQuery, sort: Sort, day: string): PaymentQuery {
  const [startDate, endDate] = sort === 'createdAt' ? [undefined, addDays(day, -1)] : [addDays(day, 1), undefined];
  return {
    ...query,
    ...(startDate !== undefined && {
      startDate: query.startDate !== undefined && query.startDate > startDate ? query.startDate : startDate,
    }),
    ...(endDate !== undefined && { endDate: query.endDate !== undefined && query.endDate < endDate ? query.endDate : endDate }),
  };
}

/** Returns a payment in the results of a bulk action. */
const nameOf = (row: Payment): string => {
  const payment = row.transaction ?? row.tender;
  return [payment && writeMoney(payment.amount, payment.currency), payerOf(row), methodOf(row)].filter(Boolean).join(', ');
};

function factsOf(total: number, hasFilter: boolean): string {
  return hasFilter
    ? t('{{count, number}} transactions match the filter', { count: total })
    : t('{{count, number}} transactions', { count: total });
}

/** Focuses the search field on F9, which navigates with a time stamp of its own. */
function useFocusOnRequest(focus: () => void): void {
  const { state } = useLocation();
  const findAt: unknown = typeof state === 'object' && state !== null && 'findAt' in state ? state.findAt : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each request.
  useEffect(() => {
    if (findAt !== undefined) focus();
  }, [findAt]);
}

/** Describes the filter in one line: “1111”, Status: Declined, Today. */
function describeFilter(filter: TransactionFilter): string {
  const optionTexts = OPTION_FILTERS.flatMap(({ key, label, options }) => {
    const name = options.find(({ value }) => value === filter[key])?.name;
    return name ? [`${label}: ${name}`] : [];
  });
  const settled = filter.settlementDate && t('Settled on {{day}}', { day: dayText(filter.settlementDate) });
  const brand = BRAND_OPTIONS.find(({ value }) => value === filter.brand)?.name;
  const declined = filter.declineCode && t('Decline: {{reason}}', { reason: sentenceCase(filter.declineCode) });
  const captured = daysText({ startDate: filter.capturedFrom, endDate: filter.capturedTo });
  const refunded = daysText({ startDate: filter.refundedFrom, endDate: filter.refundedTo });
  return [
    filter.q && `“${filter.q}”`,
    daysText(filter, PERIOD_OPTIONS),
    ...optionTexts,
    brand,
    declined,
    captured && t('Captured {{days}}', { days: captured }),
    refunded && t('Refunded {{days}}', { days: refunded }),
    settled,
    filter.shiftId && t('the chosen shift'),
    filter.settlementId && t('Settlement {{id}}', { id: filter.settlementId }),
  ]
    .filter(Boolean)
    .join(', ');
}

interface FilterInAddress {
  readonly filter: TransactionFilter;
  readonly page: number;
  /** Sets the filter and returns to the first page. */
  readonly setFilter: (filter: TransactionFilter) => void;
  readonly setPage: (page: number) => void;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  /** Query part of the URL, including the question mark. */
  readonly search: string;
}

/** Filter and page of the list, stored in the URL. */
function useFilterInAddress(): FilterInAddress {
  const { values, search, go } = useAddress(ADDRESS);
  const { sort } = values;
  const isFrontDesk = useIsFrontDesk();
  const filter = useMemo(() => filterOf(values, isFrontDesk), [values, isFrontDesk]);
  const setFilter = useCallback(
    (next: TransactionFilter) => go({ ...addressOf(next, filter, isFrontDesk), sort }, { replace: true }),
    [go, sort, filter, isFrontDesk],
  );
  const setPage = useCallback((page: number) => go({ ...values, page }), [go, values]);
  const setSort = useCallback((next: Sort) => go({ ...values, page: 1, sort: next }), [go, values]);
  return { filter, page: values.page, setFilter, setPage, sort, setSort, search };
}
