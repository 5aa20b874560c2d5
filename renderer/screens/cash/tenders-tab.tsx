import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Tender } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ListFilter, RecordList, Totals } from '#renderer/kit/data-table';
import { EmptyState, FilterChip, SearchBox, statusStyle, useShortcuts } from '#renderer/kit/ui';
import { DaysChip } from '#renderer/session/date-entry';
import { ExportCsvButton } from '#renderer/session/download';
import { PERIOD_OPTIONS } from '#renderer/session/periods';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { useBulkReceipts } from '#renderer/shared/receipt-delivery';
import { tenderText } from '#renderer/shared/tenders';
import { tenderColumns } from './columns.tsx';
import { KINDS, queryOf, SORTS, type Sort, TENDER_STATUSES, type TenderView, tendersQuery, tenderTotalsQuery } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['drawer', 'createdBy', 'customer'];

const KIND_NAMES = { cash: t('Cash'), check: t('Check'), other: t('Other'), gift_card: t('Gift card') } as const;
const KIND_OPTIONS = KINDS.map((value) => ({ value, name: KIND_NAMES[value] }));
const STATUS_OPTIONS = TENDER_STATUSES.map((value) => ({ value, name: statusStyle(value).label }));

const paidOf = (tender: Tender) => ({ tender, transaction: null });

export interface TabProps<View> {
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly view: View & { readonly page: number };
  readonly onView: (change: Partial<View> & { readonly page?: number }) => void;
  readonly onClear: () => void;
}

interface SortedView extends TenderView {
  readonly sort: Sort;
}

/** List of the payments at the counter with its filters. */
export function TendersTab({ openId, onOpen, view, onView, onClear }: TabProps<SortedView>) {
  const { merchantId, currency, timezone } = useMerchant();
  const navigate = useNavigate();
  const may = useMay();
  const bulk = useBulkReceipts(paidOf);
  const search = useRef<HTMLInputElement>(null);
  const today = useToday();
  const query = queryOf(merchantId, today, view);
  const list = useQuery(tendersQuery(query, view.sort, view.page));
  const total = list.data?.total ?? 0;
  // Who may not see reports learns no sales of the day here.
  const maySum = may('reporting:read');
  const totals = useQuery({ ...tenderTotalsQuery(query, total), enabled: maySum && list.isSuccess });
  const columns = useMemo(() => tenderColumns({ currency, timezone }), [currency, timezone]);
  useShortcuts(t('Register'), [{ keys: '/', label: t('Find a payment'), run: () => search.current?.focus() }]);
  const isFiltered = [view.kind, view.status, view.q || undefined, view.period, view.startDate, view.endDate].some(
    (one) => one !== undefined,
  );
  return (
    <>
      <ListFilter
        isFiltered={isFiltered}
        onClear={onClear}
        action={
          <ExportCsvButton
            area="tenders"
            file={{ path: '/api/v1/tenders/export', query, name: 'tenders.csv', rows: total }}
            exported={(count) => t('{{count, number}} payments exported', { count })}
          />
        }
      >
        <SearchBox
          label={t('Find a payment')}
          placeholder={t('Receipt, check, order')}
          value={view.q}
          widthPx={280}
          inputRef={search}
          onSearch={(q) => onView({ q })}
        />
        <DaysChip
          label={t('Period')}
          presets={PERIOD_OPTIONS}
          value={view}
          onChange={({ period, startDate, endDate }) => onView({ period, startDate, endDate })}
        />
        <FilterChip
          label={t('Method')}
          options={KIND_OPTIONS}
          value={view.kind}
          onChange={(chosen) => onView({ kind: KINDS.find((kind) => kind === chosen) })}
        />
        <FilterChip
          label={t('Status')}
          options={STATUS_OPTIONS}
          value={view.status}
          onChange={(chosen) => onView({ status: TENDER_STATUSES.find((status) => status === chosen) })}
        />
      </ListFilter>
      <RecordList
        list="Payments at the counter"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Payments at the counter')}
        columns={columns}
        idOf={(row) => row.tenderId}
        bulk={bulk}
        nameOf={(row) => `${row.number}, ${tenderText(row)}`}
        page={view.page}
        sort={{ allowed: SORTS, value: view.sort, onSort: (sort) => onView({ sort }) }}
        onPage={(page) => onView({ page })}
        totals={maySum && <Totals label={t('Taken, less refunds')} totals={totals.data} />}
        openId={openId}
        onOpen={(row) => onOpen(row.tenderId)}
        empty={
          isFiltered ? (
            <EmptyState title={t('No payments match')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
              {t('Change the filter to see others.')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('No payments yet')}
              action={may('transactions:write') && <Button onClick={() => void navigate('/sell')}>{t('Go to Sell')}</Button>}
            >
              {t('Cash, checks and other payments that you take on the Sell screen appear here.')}
            </EmptyState>
          )
        }
      />
    </>
  );
}
