import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import { RecordList } from '#renderer/kit/data-table';
import { EmptyState, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { DaysChip } from '#renderer/session/date-entry';
import { ExportCsvButton } from '#renderer/session/download';
import { useMay, useMerchant } from '#renderer/session/user';
import { tenderColumns } from './columns.tsx';
import { queryOf, SORTS, type Sort, type TenderView, tendersQuery } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['drawer', 'createdBy'];

const KINDS = [
  ['cash', t('Cash')],
  ['check', t('Checks')],
  ['other', t('Other')],
  ['gift_card', t('Gift cards')],
] as const;
const ALL = 'all';

export interface TabProps {
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

interface SortedView extends TenderView {
  readonly sort: Sort;
}

interface TendersTabProps extends TabProps {
  readonly view: SortedView;
  readonly page: number;
  readonly onView: (change: Partial<SortedView> & { readonly page?: number }) => void;
}

/** List of the payments at the counter with its filters. */
export function TendersTab({ openId, onOpen, view, page, onView }: TendersTabProps) {
  const merchant = useMerchant();
  const navigate = useNavigate();
  const canSell = useMay()('transactions:write');
  const search = useRef<HTMLInputElement>(null);
  const list = useQuery(tendersQuery(merchant.merchantId, view, view.sort, page));
  const columns = useMemo(() => tenderColumns(merchant), [merchant]);
  const total = list.data?.total ?? 0;
  useShortcuts(t('Register'), [{ keys: '/', label: t('Find a payment'), run: () => search.current?.focus() }]);
  const isFiltered = view.kind !== undefined || view.q !== '' || view.startDate !== undefined || view.endDate !== undefined;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center' }}>
        <ChoiceButtons
          label={t('Method')}
          options={[[ALL, t('All')], ...KINDS]}
          value={view.kind ?? ALL}
          onChange={(kind) => onView({ kind: KINDS.find(([id]) => id === kind)?.[0] })}
        />
        <SearchBox
          label={t('Find a payment')}
          placeholder={t('Receipt, check, order')}
          value={view.q}
          widthPx={280}
          inputRef={search}
          onSearch={(q) => onView({ q })}
        />
        <DaysChip label={t('Period')} value={view} onChange={({ startDate, endDate }) => onView({ startDate, endDate })} />
        <Box sx={{ marginInlineStart: 'auto' }}>
          <ExportCsvButton
            area="tenders"
            file={{ path: '/api/v1/tenders/export', query: queryOf(merchant.merchantId, view), name: 'tenders.csv', rows: total }}
            exported={(count) => t('{{count, number}} payments exported', { count })}
          />
        </Box>
      </Box>
      <RecordList
        list="Payments at the counter"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Payments at the counter')}
        columns={columns}
        idOf={(row) => row.tenderId}
        page={page}
        sort={{ allowed: SORTS, value: view.sort, onSort: (sort) => onView({ sort }) }}
        onPage={(next) => onView({ page: next })}
        openId={openId}
        onOpen={(row) => onOpen(row.tenderId)}
        empty={
          isFiltered ? (
            <EmptyState title={t('No payments match')}>{t('Change the filter to see others.')}</EmptyState>
          ) : (
            <EmptyState
              title={t('No payments yet')}
              action={canSell && <Button onClick={() => void navigate('/sell')}>{t('Go to Sell')}</Button>}
            >
              {t('Cash, checks and other payments that you take on the Sell screen appear here.')}
            </EmptyState>
          )
        }
      />
    </>
  );
}
