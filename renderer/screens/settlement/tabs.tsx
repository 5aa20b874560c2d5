import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { SettlementStanding } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useMerchant } from '#renderer/session';
import { Answer, EmptyNote } from '#renderer/ui';
import { batchColumns, outgoingColumns, settlementColumns, unsettledColumns } from './columns.tsx';
import { batchesQuery, historyQuery, ofPayout, PAGE_SIZE, paidQuery, payoutsQuery, unpaidPageQuery, unsettledQuery } from './queries.ts';
import { Total } from './total.tsx';
import type { ViewInAddress } from './use-view.ts';
import { counted, sumOf } from './words.ts';

type GridRef = ReturnType<typeof useGridApiRef>;

export interface TabProps {
  readonly view: ViewInAddress;
  readonly grid: GridRef;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

const SPACE = <Box sx={{ flex: 1 }} />;

/** The rows of a page, of a list that is here as a whole. */
const pageOf = <Row,>(rows: readonly Row[], page: number): Row[] => rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

/** Every settlement, newest first. */
export function HistoryTab({ view, grid, openId, onOpen, empty }: TabProps & { empty: ReactNode }) {
  const { merchantId, currency } = useMerchant();
  const list = useQuery(historyQuery(merchantId, view.page));
  const columns = useMemo(() => settlementColumns(currency), [currency]);
  return (
    <Answer of={list} skeleton={SPACE} isEmpty={({ total }) => total === 0} empty={empty}>
      {(data) => (
        <DataTable
          label="Settlements"
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
    </Answer>
  );
}

interface OfStanding {
  readonly standing: SettlementStanding;
}

/** Unpaid settlements with their totals. */
export function UnpaidTab({ view, grid, openId, onOpen, standing: { merchantId, currency, settledUnpaid } }: TabProps & OfStanding) {
  const list = useQuery(unpaidPageQuery(merchantId, currency, view.page));
  const columns = useMemo(() => settlementColumns(currency), [currency]);
  const all = <Button onClick={() => view.change({ isNarrowed: false })}>Show all settlements</Button>;
  return (
    <Answer
      of={list}
      skeleton={SPACE}
      isEmpty={({ total }) => total === 0}
      empty={
        <EmptyNote title="Everything that is settled is paid" action={all}>
          A settlement stands here from its cutoff until it is paid out in full.
        </EmptyNote>
      }
    >
      {(data) => (
        <>
          <Total
            name="Settled and unpaid"
            amount={settledUnpaid.amount}
            currency={currency}
            of={counted(settledUnpaid.count, 'settlement')}
            action={all}
          />
          <DataTable
            label="Unpaid settlements"
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
    </Answer>
  );
}

/** Payouts that were made one by one. */
export function PayoutsTab({ view, grid, openId, onOpen }: TabProps) {
  const { merchantId, currency, timezone } = useMerchant();
  const list = useQuery(payoutsQuery(merchantId, view.page));
  const columns = useMemo(() => outgoingColumns(currency, timezone), [currency, timezone]);
  return (
    <Answer
      of={list}
      skeleton={SPACE}
      isEmpty={({ total }) => total === 0}
      empty={
        <EmptyNote title="No payouts yet">
          A payout records that settled money went to your bank, and gives it the reference of the statement's line.
        </EmptyNote>
      }
    >
      {(data) => (
        <DataTable
          label="Payouts"
          apiRef={grid}
          rows={data.items.map(ofPayout)}
          columns={columns}
          getRowClassName={({ row }) => (row.id === openId ? 'is-open' : '')}
          total={data.total}
          page={view.page}
          pageSize={PAGE_SIZE}
          isLoading={list.isPlaceholderData}
          onPage={(page) => view.change({ page })}
          onOpen={(row) => onOpen(row.id)}
          empty={null}
        />
      )}
    </Answer>
  );
}

/** Payouts and batches of the last 30 days with their totals. */
export function PaidTab({ view, grid, openId, onOpen, standing }: TabProps & OfStanding) {
  const { timezone } = useMerchant();
  const { currency } = standing;
  const list = useQuery(paidQuery(standing));
  const columns = useMemo(() => outgoingColumns(currency, timezone), [currency, timezone]);
  const all = <Button onClick={() => view.change({ isNarrowed: false })}>Show all payouts</Button>;
  return (
    <Answer
      of={list}
      skeleton={SPACE}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyNote title="Nothing was paid in 30 days" action={all} />}
    >
      {(rows) => (
        <>
          <Total
            name="Paid in 30 days"
            amount={sumOf(
              rows.map(({ amount }) => amount),
              currency,
            )}
            currency={currency}
            of={counted(rows.length, 'payout')}
            action={all}
          />
          <DataTable
            label="Paid in 30 days"
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
    </Answer>
  );
}

/** Batches and where they stand. */
export function BatchesTab({ view, grid, openId, onOpen, onNew }: TabProps & { onNew: (() => void) | undefined }) {
  const { merchantId, currency } = useMerchant();
  const list = useQuery(batchesQuery(merchantId, view.page));
  const columns = useMemo(() => batchColumns(currency), [currency]);
  return (
    <Answer
      of={list}
      skeleton={SPACE}
      isEmpty={({ total }) => total === 0}
      empty={
        <EmptyNote title="No batches yet" action={onNew && <Button onClick={onNew}>Make a batch</Button>}>
          A batch bundles the unpaid settlements of a period into one payout.
        </EmptyNote>
      }
    >
      {(data) => (
        <DataTable
          label="Batches"
          apiRef={grid}
          rows={data.items}
          columns={columns}
          getRowId={(row) => row.batchId}
          getRowClassName={({ row }) => (row.batchId === openId ? 'is-open' : '')}
          total={data.total}
          page={view.page}
          pageSize={PAGE_SIZE}
          isLoading={list.isPlaceholderData}
          onPage={(page) => view.change({ page })}
          onOpen={(row) => onOpen(row.batchId)}
          empty={null}
        />
      )}
    </Answer>
  );
}

/** Unsettled captures and refunds; each row opens its transaction. */
export function UnsettledTab({ view, grid, standing: { merchantId, currency, unsettled } }: Pick<TabProps, 'view' | 'grid'> & OfStanding) {
  const { timezone } = useMerchant();
  const navigate = useNavigate();
  const list = useQuery(unsettledQuery(merchantId, currency, view.page));
  const columns = useMemo(() => unsettledColumns(currency, timezone), [currency, timezone]);
  return (
    <Answer
      of={list}
      skeleton={SPACE}
      isEmpty={({ total }) => total === 0}
      empty={<EmptyNote title="Nothing is unsettled">What is captured and refunded stands here until the next cutoff.</EmptyNote>}
    >
      {(data) => (
        <>
          <Total name="Unsettled" amount={unsettled.amount} currency={currency} of={counted(unsettled.count, 'line')} />
          <DataTable
            label="Unsettled"
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
    </Answer>
  );
}
