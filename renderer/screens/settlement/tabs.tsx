import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { SettlementSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { EmptyState, QueryContent } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { outgoingColumns, settlementColumns, unsettledColumns } from './columns.tsx';
import { historyQuery, outgoingQuery, PAGE_SIZE, unpaidPageQuery, unsettledQuery } from './queries.ts';
import { sumOf, unpaidListText } from './texts.ts';
import { Total } from './total.tsx';
import type { ViewInAddress } from './use-view.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['fees', 'disputes', 'refunds'];
const LEAVE_OUT_OF_LINES = ['transactionId', 'order'];

type GridRef = ReturnType<typeof useGridApiRef>;

export interface TabProps {
  readonly view: ViewInAddress;
  readonly grid: GridRef;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

const PLACEHOLDER = <Box sx={{ flex: 1 }} />;

/** Returns the rows of a page of a fully loaded list. */
const pageOf = <Row,>(rows: readonly Row[], page: number): Row[] => rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

/** All settlements, newest first. */
export function HistoryTab({ view, grid, openId, onOpen, empty }: TabProps & { empty: ReactNode }) {
  const { merchantId, currency } = useMerchant();
  const list = useQuery(historyQuery(merchantId, view.page));
  const columns = useMemo(() => settlementColumns(currency, list.data?.items), [currency, list.data]);
  return (
    <QueryContent query={list} skeleton={PLACEHOLDER} isEmpty={({ total }) => total === 0} empty={empty}>
      {(data) => (
        <DataTable
          list="Settlements"
          leaveOut={LEAVE_OUT}
          label={t('Settlements')}
          apiRef={grid}
          rows={data.items}
          columns={columns}
          getRowId={(row) => row.settlementId}
          getRowClassName={({ row }) => (row.settlementId === openId ? 'is-open' : '')}
          total={data.total}
          page={view.page}
          pageSize={PAGE_SIZE}
          isLoading={list.isPlaceholderData}
          onPage={(page) => view.change({ page })}
          onOpen={(row) => onOpen(row.settlementId)}
          empty={null}
        />
      )}
    </QueryContent>
  );
}

interface WithSummary {
  readonly summary: SettlementSummary;
}

/** Unpaid settlements with their totals. */
export function UnpaidTab({ view, grid, openId, onOpen, summary: { merchantId, currency, settledUnpaid } }: TabProps & WithSummary) {
  const list = useQuery(unpaidPageQuery(merchantId, currency, view.page));
  const columns = useMemo(() => settlementColumns(currency, list.data?.items), [currency, list.data]);
  const all = <Button onClick={() => view.change({ isNarrowed: false })}>{t('Show all settlements')}</Button>;
  return (
    <QueryContent
      query={list}
      skeleton={PLACEHOLDER}
      isEmpty={({ total }) => total === 0}
      empty={
        <EmptyState title={t('No unpaid settlements')} action={all}>
          {t('Settlements appear here until they are paid out in full.')}
        </EmptyState>
      }
    >
      {(data) => (
        <>
          <Total
            name={t('Settled and unpaid')}
            amount={settledUnpaid.amount}
            currency={currency}
            countText={unpaidListText(data.total, settledUnpaid)}
            action={all}
          />
          <DataTable
            list="Unpaid settlements"
            label={t('Unpaid settlements')}
            apiRef={grid}
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.settlementId}
            getRowClassName={({ row }) => (row.settlementId === openId ? 'is-open' : '')}
            total={data.total}
            page={view.page}
            pageSize={PAGE_SIZE}
            isLoading={list.isPlaceholderData}
            onPage={(page) => view.change({ page })}
            onOpen={(row) => onOpen(row.settlementId)}
            empty={null}
          />
        </>
      )}
    </QueryContent>
  );
}

/** Payouts with those of batches, newest first; `view` limits them to those of the last 30 days, with their total. */
export function PayoutsTab({ view, grid, openId, onOpen, summary }: TabProps & WithSummary) {
  const { timezone } = useMerchant();
  const { currency } = summary;
  const { isNarrowed } = view;
  const list = useQuery(outgoingQuery(summary, isNarrowed));
  const columns = useMemo(() => outgoingColumns(currency, timezone), [currency, timezone]);
  const all = isNarrowed && <Button onClick={() => view.change({ isNarrowed: false })}>{t('Show all payouts')}</Button>;
  const name = isNarrowed ? t('Paid in last 30 days') : t('Payouts');
  return (
    <QueryContent
      query={list}
      skeleton={PLACEHOLDER}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyState title={isNarrowed ? t('Nothing was paid in the last 30 days') : t('No payouts yet')} action={all}>
          {!isNarrowed && t('A payout records that settled money went to your bank. Press Record payout to record one.')}
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          {isNarrowed && (
            <Total
              name={name}
              amount={sumOf(
                rows.map(({ amount }) => amount),
                currency,
              )}
              currency={currency}
              countText={t('{{count, number}} payouts', { count: rows.length })}
              action={all}
            />
          )}
          <DataTable
            list="Payouts"
            label={name}
            apiRef={grid}
            rows={pageOf(rows, view.page)}
            columns={columns}
            getRowClassName={({ row }) => (row.id === openId ? 'is-open' : '')}
            total={rows.length}
            page={view.page}
            pageSize={PAGE_SIZE}
            isLoading={false}
            onPage={(page) => view.change({ page })}
            onOpen={(row) => onOpen(row.id)}
            empty={null}
          />
        </>
      )}
    </QueryContent>
  );
}

/** Unsettled captures and refunds; each row opens its transaction. */
export function UnsettledTab({ view, grid, summary: { merchantId, currency, unsettled } }: Pick<TabProps, 'view' | 'grid'> & WithSummary) {
  const { timezone } = useMerchant();
  const navigate = useNavigate();
  const list = useQuery(unsettledQuery(merchantId, currency, view.page));
  const columns = useMemo(() => unsettledColumns(currency, timezone), [currency, timezone]);
  return (
    <QueryContent
      query={list}
      skeleton={PLACEHOLDER}
      isEmpty={({ total }) => total === 0}
      empty={<EmptyState title={t('No unsettled payments')}>{t('Captures and refunds appear here until the next cutoff.')}</EmptyState>}
    >
      {(data) => (
        <>
          <Total
            name={t('Unsettled')}
            amount={unsettled.amount}
            currency={currency}
            countText={t('{{count, number}} lines', { count: unsettled.count })}
          />
          <DataTable
            list="Unsettled"
            leaveOut={LEAVE_OUT_OF_LINES}
            label={t('Unsettled')}
            apiRef={grid}
            rows={data.items}
            columns={columns}
            total={data.total}
            page={view.page}
            pageSize={PAGE_SIZE}
            isLoading={list.isPlaceholderData}
            onPage={(page) => view.change({ page })}
            onOpen={(row) => void navigate(`/transactions/${row.transactionId}`)}
            empty={null}
          />
        </>
      )}
    </QueryContent>
  );
}
