import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { SettlementSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { ListSkeleton } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { EmptyState, FigureStripSkeleton, fullTime, QueryContent, Screen } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { BatchDialog } from './batch-dialog.tsx';
import { BatchView } from './batch-view.tsx';
import { outgoingColumns } from './columns.tsx';
import { FundingTab } from './funding-tab.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { PayoutView } from './payout-view.tsx';
import { summaryQuery } from './queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { SettleDialog } from './settle-dialog.tsx';
import { SettlementView } from './settlement-view.tsx';
import { SummaryStrip } from './summary-strip.tsx';
import { HistoryTab, PayoutsTab, UnpaidTab, UnsettledTab } from './tabs.tsx';
import { TABS, useView } from './use-view.ts';

/** Minimum height of the table; on a smaller screen the page scrolls. */
const TABLE_MIN_PX = 260;

type DialogName = 'settle' | 'payout' | 'batch' | 'schedule';

/** Settlement: unsettled amounts, settlements, and payouts to the bank. */
export function SettlementScreen() {
  const merchant = useMerchant();
  const may = useMay();
  const navigate = useNavigate();
  const view = useView();
  const today = useToday();
  const summary = useQuery(summaryQuery(merchant.merchantId));
  const [openDialog, setOpenDialog] = useState<DialogName>();
  const canWrite = may('settlement:write');
  const canSeeUnsettled = may('transactions:read') && may('refunds:read');
  const { search, tab } = view;
  const { openId, open, panel } = useRecordAddress('/settlement', search);
  const closeDialog = () => setOpenDialog(undefined);
  const tabProps = { view, openId, onOpen: open };

  return (
    <Screen
      title={t('Payouts')}
      fillsHeight
      subtitle={t('Track settlements and payouts to your bank.')}
      actions={
        <PageActions
          group={t('Payouts')}
          actions={
            canWrite
              ? [
                  { keys: 'O', label: t('Record payout'), run: () => setOpenDialog('payout') },
                  { keys: 'S', label: t('Settle now'), run: () => setOpenDialog('settle') },
                  { keys: 'B', label: t('New batch'), run: () => setOpenDialog('batch') },
                ]
              : []
          }
        >
          <SavedViews />
        </PageActions>
      }
    >
      <QueryContent query={summary} skeleton={<FigureStripSkeleton />}>
        {(data) => (
          <SummaryStrip
            summary={data}
            canSeeUnsettled={canSeeUnsettled}
            onChange={canWrite ? () => setOpenDialog('schedule') : undefined}
          />
        )}
      </QueryContent>
      <TabRow
        label={t('Settlement lists')}
        tabs={TABS.filter(({ id }) => id !== 'unsettled' || canSeeUnsettled)}
        value={tab}
        onChange={(next) => view.change({ tab: next, isNarrowed: false })}
      />
      <Box sx={{ flex: 1, minHeight: TABLE_MIN_PX, display: 'flex', flexDirection: 'column', gap: 3 }}>
        {tab === 'history' && !view.isNarrowed && (
          <HistoryTab
            {...tabProps}
            empty={<NoSettlements standing={summary.data} onSettle={canWrite ? () => setOpenDialog('settle') : undefined} />}
          />
        )}
        {tab === 'history' && view.isNarrowed && summary.data && <UnpaidTab {...tabProps} summary={summary.data} />}
        {tab === 'payouts' && summary.isLoading && <ListSkeleton columns={outgoingColumns(merchant.currency, merchant.timezone)} />}
        {tab === 'payouts' && summary.data && <PayoutsTab {...tabProps} summary={summary.data} />}
        {tab === 'unsettled' && canSeeUnsettled && summary.data && <UnsettledTab view={view} summary={summary.data} />}
        {tab === 'funding' && <FundingTab {...tabProps} today={today} />}
      </Box>
      <RecordPanel label={nameOf(openId)} {...panel}>
        {(id, isOpen) => {
          const props = { id, takesFocus: isOpen, search };
          if (id.startsWith('pay_')) return <PayoutView {...props} />;
          return id.startsWith('bat_') ? <BatchView {...props} /> : <SettlementView {...props} />;
        }}
      </RecordPanel>
      {openDialog === 'schedule' && <ScheduleDialog onClose={closeDialog} />}
      {openDialog === 'settle' && summary.data && (
        <SettleDialog
          summary={summary.data}
          onClose={closeDialog}
          onSettled={([first]) => {
            closeDialog();
            if (first) void navigate({ pathname: `/settlement/${first.settlementId}` });
          }}
        />
      )}
      {openDialog === 'payout' && summary.data && (
        <PayoutDialog
          currency={summary.data.currency}
          unpaid={summary.data.settledUnpaid.amount}
          onClose={closeDialog}
          onOpen={(id) => {
            closeDialog();
            void navigate({ pathname: `/settlement/${id}`, search: '?tab=payouts' });
          }}
        />
      )}
      {openDialog === 'batch' && (
        <BatchDialog
          today={today}
          onClose={closeDialog}
          onMade={({ batchId }) => {
            closeDialog();
            void navigate({ pathname: `/settlement/${batchId}`, search: '?tab=payouts' });
          }}
        />
      )}
    </Screen>
  );
}

/** Title of the open record by its ID. */
function nameOf(id: string | undefined): string {
  if (id?.startsWith('pay_')) return t('Payout');
  return id?.startsWith('bat_') ? t('Batch') : t('Settlement');
}

/** Explains cutoffs if there are no settlements yet. */
function NoSettlements({ standing, onSettle }: { standing: SettlementSummary | undefined; onSettle: (() => void) | undefined }) {
  const { timezone } = useMerchant();
  const next = standing?.nextCutoffAt;
  return (
    <EmptyState title={t('No settlements yet')} action={onSettle && <Button onClick={onSettle}>{t('Settle now')}</Button>}>
      {t('At each cutoff, captures and refunds become one settlement. Captures minus refunds and fees go to your bank.')}{' '}
      {next
        ? t('The next cutoff is {{time}}.', { time: fullTime(next, timezone) })
        : t('Your schedule is manual: press Settle now to settle.')}
    </EmptyState>
  );
}
