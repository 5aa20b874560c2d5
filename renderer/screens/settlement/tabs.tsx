import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { Settlement, SettlementSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { inPages, type ListQuery, RecordList } from '#renderer/kit/data-table';
import { EmptyState, MoneyText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { outgoingColumns, SETTLEMENT_LEAVE_OUT, settlementColumns, unsettledColumns } from './columns.tsx';
import { historyQuery, outgoingQuery, PAGE_SIZE, unpaidPageQuery, unsettledQuery } from './queries.ts';
import { sumOf, unpaidListText } from './texts.ts';
import type { ViewInAddress } from './use-view.ts';

interface TotalProps {
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
  /** Rows of the total. */
  readonly countText: string;
  readonly action?: ReactNode;
}

/** Totals of the rows of a table. */
function Total({ name, amount, currency, countText, action }: TotalProps) {
  return (
    <Box data-total sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1, minHeight: 36 }}>
      <span>{name}:</span>
      <MoneyText amount={amount} currency={currency} code sx={{ fontWeight: 600 }} />
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 13 }}>
        {countText}
      </Box>
      {action && <Box sx={{ marginInlineStart: 'auto' }}>{action}</Box>}
    </Box>
  );
}

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT_OF_LINES = ['order'];

export interface TabProps {
  readonly view: ViewInAddress;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

interface SettlementListProps extends TabProps {
  /** Name under which the columns are stored. */
  readonly list: string;
  readonly label: string;
  readonly currency: string;
  readonly query: ListQuery<Settlement>;
  readonly totals?: ReactNode;
  readonly empty: ReactNode;
}

/** A list of settlements with their sums. */
export function SettlementList({ view, onOpen, currency, query, ...props }: SettlementListProps) {
  const columns = useMemo(() => settlementColumns(currency, query.data?.items), [currency, query.data]);
  return (
    <RecordList
      {...props}
      leaveOut={SETTLEMENT_LEAVE_OUT}
      query={query}
      columns={columns}
      idOf={(row) => row.settlementId}
      page={view.page}
      onPage={(page) => view.change({ page })}
      onOpen={(row) => onOpen(row.settlementId)}
    />
  );
}

/** All settlements, newest first. */
export function HistoryTab({ empty, ...props }: TabProps & { empty: ReactNode }) {
  const { merchantId, currency } = useMerchant();
  const list = useQuery(historyQuery(merchantId, props.view.page));
  return <SettlementList {...props} list="Settlements" label={t('Settlements')} currency={currency} query={list} empty={empty} />;
}

interface WithSummary {
  readonly summary: SettlementSummary;
}

/** Unpaid settlements with their totals. */
export function UnpaidTab({ summary: { merchantId, currency, settledUnpaid }, ...props }: TabProps & WithSummary) {
  const { view } = props;
  const list = useQuery(unpaidPageQuery(merchantId, currency, view.page));
  const all = <Button onClick={() => view.change({ isNarrowed: false })}>{t('Show all settlements')}</Button>;
  return (
    <SettlementList
      {...props}
      list="Unpaid settlements"
      label={t('Unpaid settlements')}
      currency={currency}
      query={list}
      totals={
        <Total
          name={t('Awaiting payout')}
          amount={settledUnpaid.amount}
          currency={currency}
          countText={unpaidListText(list.data?.total ?? 0, settledUnpaid)}
          action={all}
        />
      }
      empty={
        <EmptyState title={t('No unpaid settlements')} action={all}>
          {t('Settlements appear here until they are paid out in full.')}
        </EmptyState>
      }
    />
  );
}

/** Payouts with those of batches, newest first; `view` limits them to those of the last 30 days, with their total. */
export function PayoutsTab({ view, openId, onOpen, summary }: TabProps & WithSummary) {
  const { timezone } = useMerchant();
  const { currency } = summary;
  const { isNarrowed } = view;
  const list = useQuery(outgoingQuery(summary, isNarrowed));
  const columns = useMemo(() => outgoingColumns(currency, timezone), [currency, timezone]);
  const all = isNarrowed && <Button onClick={() => view.change({ isNarrowed: false })}>{t('Show all payouts')}</Button>;
  const name = isNarrowed ? t('Paid in last 30 days') : t('Payouts');
  const amounts = list.data?.map(({ amount }) => amount) ?? [];
  return (
    <RecordList
      list="Payouts"
      query={inPages(list, (rows) => rows, view.page, PAGE_SIZE)}
      label={name}
      columns={columns}
      idOf={(row) => row.id}
      page={view.page}
      onPage={(page) => view.change({ page })}
      openId={openId}
      onOpen={(row) => onOpen(row.id)}
      totals={
        isNarrowed && (
          <Total
            name={name}
            amount={sumOf(amounts, currency)}
            currency={currency}
            countText={t('{{count, number}} payouts', { count: amounts.length })}
            action={all}
          />
        )
      }
      empty={
        <EmptyState title={isNarrowed ? t('Nothing was paid in the last 30 days') : t('No payouts yet')} action={all}>
          {!isNarrowed && t('A payout records that settled money went to your bank. Press Record payout to record one.')}
        </EmptyState>
      }
    />
  );
}

/** Unsettled captures and refunds; each row opens its transaction. */
export function UnsettledTab({ view, summary: { merchantId, currency, unsettled } }: Pick<TabProps, 'view'> & WithSummary) {
  const { timezone } = useMerchant();
  const navigate = useNavigate();
  const list = useQuery(unsettledQuery(merchantId, currency, view.page));
  const columns = useMemo(() => unsettledColumns(currency, timezone), [currency, timezone]);
  return (
    <RecordList
      list="Unsettled"
      leaveOut={LEAVE_OUT_OF_LINES}
      query={list}
      label={t('Unsettled')}
      columns={columns}
      idOf={(row) => row.id}
      page={view.page}
      onPage={(page) => view.change({ page })}
      onOpen={(row) => void navigate(`/transactions/${row.transactionId}`)}
      opensElsewhere
      totals={
        <Total
          name={t('Unsettled')}
          amount={unsettled.amount}
          currency={currency}
          countText={t('{{count, number}} payments', { count: unsettled.count })}
        />
      }
      empty={<EmptyState title={t('No unsettled payments')}>{t('Captures and refunds appear here until the next cutoff.')}</EmptyState>}
    />
  );
}
