import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import type { PageOf, Transaction } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useMerchant } from '#renderer/session';
import { useToday } from '#renderer/tenant-clock';
import { Answer, announce, EmptyNote, Screen, SearchBox } from '#renderer/ui';
import { columnsFor } from './columns.tsx';
import { describeFilter } from './describe-filter.ts';
import { DetailDrawer } from './detail-drawer.tsx';
import { ExportButton } from './export-button.tsx';
import { isFiltered, queryOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { countQuery, listQuery, PAGE_SIZE } from './queries.ts';
import { useFilterInAddress } from './use-filter.ts';

const FIRST_FIELD = 'createdAt';

/** The payments of a merchant: found by one box, narrowed by filters, opened beside the list. */
export function TransactionsScreen() {
  const merchant = useMerchant();
  const { filter, page, setFilter, setPage, search } = useFilterInAddress();
  const { transactionId } = useParams();
  const navigate = useNavigate();
  const grid = useGridApiRef();
  const searchField = useRef<HTMLInputElement>(null);
  /** The search text that Enter was pressed on, until its answer is here. */
  const awaited = useRef<string>(undefined);

  const today = useToday();
  const query = useMemo(() => queryOf(filter, merchant.merchantId, today), [filter, merchant, today]);
  const list = useQuery(listQuery(query, page));
  const count = useQuery({ ...countQuery(query), enabled: list.isSuccess && !list.isPlaceholderData });
  const news = Math.max(0, (count.data ?? 0) - (list.data?.total ?? Number.POSITIVE_INFINITY));
  const columns = useMemo(() => columnsFor(merchant), [merchant]);

  useFocusOnRequest(() => {
    searchField.current?.focus();
    searchField.current?.select();
  });

  const open = (id: string) => void navigate({ pathname: `/transactions/${id}`, search });
  const focusRow = (row: Transaction | undefined) => row && grid.current?.setCellFocus(row.transactionId, FIRST_FIELD);
  const close = () => void navigate({ pathname: '/transactions', search });
  /** Focuses the row that was opened, unless something else was requested in the meantime. */
  const focusRowAgain = (id: string) => {
    if (!document.activeElement?.closest('main')) grid.current?.getCellElement(id, FIRST_FIELD)?.focus();
  };

  const answerEnter = (data: PageOf<Transaction>) => {
    const [first] = data.items;
    awaited.current = undefined;
    if (first && data.total === 1) open(first.transactionId);
    else if (first) focusRow(first);
    announce(
      data.total === 0 ? 'No transaction matches.' : data.total === 1 ? 'One transaction matches.' : `${data.total} transactions match.`,
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the arrival of the awaited answer that counts.
  useEffect(() => {
    if (awaited.current === undefined || awaited.current !== (filter.q ?? '') || !list.data || list.isPlaceholderData) return;
    answerEnter(list.data);
  }, [filter.q, list.data, list.isPlaceholderData]);

  const showNews = () => {
    if (page > 1) setPage(1);
    void list.refetch();
  };

  return (
    <Screen
      title="Transactions"
      isFilling
      facts={list.data ? factsOf(list.data.total, isFiltered(filter)) : ' '}
      actions={<ExportButton query={query} total={list.data?.total ?? 0} />}
      filter={
        <FilterBar filter={filter} onChange={setFilter}>
          <SearchBox
            label="Search transactions"
            placeholder="Id, last four, amount, e-mail, order"
            widthPx={312}
            inputRef={searchField}
            value={filter.q ?? ''}
            onSearch={(q) => {
              const { q: _, ...rest } = filter;
              setFilter({ ...rest, ...(q && { q }) });
            }}
            onEnter={(text) => {
              awaited.current = text;
              if (text === (filter.q ?? '') && list.data && !list.isPlaceholderData) answerEnter(list.data);
            }}
            onDown={() => focusRow(list.data?.items[0])}
          />
        </FilterBar>
      }
    >
      {news > 0 && (
        <Box sx={{ display: 'flex', justifyContent: 'center', height: 0, position: 'relative', zIndex: 2 }}>
          <Button
            variant="contained"
            color="primary"
            size="small"
            startIcon={<ArrowUp size={14} aria-hidden />}
            onClick={showNews}
            sx={{ borderRadius: 5, position: 'absolute', top: -14 }}
          >
            {news} new
          </Button>
        </Box>
      )}
      <Answer of={list} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            label="Transactions"
            apiRef={grid}
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.transactionId}
            getRowClassName={({ row }) => (row.transactionId === transactionId ? 'is-open' : '')}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={list.isPlaceholderData}
            onPage={setPage}
            onOpen={(row) => open(row.transactionId)}
            empty={
              isFiltered(filter) ? (
                <EmptyNote title="No match" action={<Button onClick={() => setFilter({})}>Clear filters</Button>}>
                  No transaction matches {describeFilter(filter)}.
                </EmptyNote>
              ) : (
                <EmptyNote
                  title="No transactions yet"
                  action={
                    <Button variant="contained" color="primary" onClick={() => void navigate('/sell')}>
                      Make a sale
                    </Button>
                  }
                >
                  Sales, authorizations and credits appear here as they are made.
                </EmptyNote>
              )
            }
          />
        )}
      </Answer>
      <DetailDrawer transactionId={transactionId} onClose={close} onClosed={focusRowAgain} onOpen={open} />
    </Screen>
  );
}

function factsOf(total: number, isNarrowed: boolean): string {
  const figure = `${total.toLocaleString('en-US')} ${total === 1 ? 'transaction' : 'transactions'}`;
  return isNarrowed ? `${figure} ${total === 1 ? 'matches' : 'match'} the filter` : figure;
}

/** F9 requests the search box by a navigation with its own stamp. */
function useFocusOnRequest(focus: () => void): void {
  const { state } = useLocation();
  const findAt: unknown = typeof state === 'object' && state !== null && 'findAt' in state ? state.findAt : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request.
  useEffect(() => {
    if (findAt !== undefined) focus();
  }, [findAt]);
}
