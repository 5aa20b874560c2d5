import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import { disputeSummaryQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { TabRow } from '#renderer/kit/choices';
import { RecordList, Totals } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions, RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { announce, dayText, EmptyState, FailureNote, FigureStrip, Screen } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { DisputeForm } from '#renderer/shared/disputes';
import { columnsFor } from './columns.tsx';
import { DisputeView } from './dispute-view.tsx';
import { checkProcessors, disputesQuery, SORTS, TABS, totalsQuery } from './queries.ts';

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    TABS[0].id,
  ),
  sort: oneOf(SORTS, 'dueDate'),
});
/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['order', 'evidence', 'status', 'customer'];
const CLOCK_MS = 60_000;
const EMPTY_TEXTS = {
  due: [t('No response is due'), t('Chargebacks and inquiries of your processors appear here, the most urgent first.')],
  submitted: [t('No dispute waits for a decision'), t('Disputes appear here after their evidence was submitted.')],
  closed: [t('No closed disputes'), t('Won, lost and accepted disputes appear here.')],
} as const;

/** Disputes by due date, with their evidence. */
export function DisputesScreen() {
  const merchant = useMerchant();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: disputeId, open, panel } = useRecordAddress('/disputes', search);
  const nowMs = useTenantNow(CLOCK_MS);
  const { page } = values;
  const tab = TABS.find(({ id }) => id === values.tab) ?? TABS[0];
  const list = useQuery(disputesQuery(merchant.merchantId, tab, values.sort, page));
  const totals = useQuery(totalsQuery(merchant.merchantId, tab));
  const columns = useMemo(() => columnsFor(merchant, nowMs), [merchant, nowMs]);

  const may = useMay();
  const isSandbox = useIsSandbox();
  const [isRecording, setRecording] = useState(false);
  const checking = useMutation({
    mutationFn: checkProcessors,
    onSuccess: () => announce(t('The processors are being asked. New disputes appear here.')),
  });
  const canRecord = may('disputes:write');
  const canCheck = canRecord && !isSandbox;

  return (
    <Screen
      title={t('Disputes')}
      fillsHeight
      subtitle={t('Payments that a payer or bank contests. Respond before the due date.')}
      actions={
        <PageActions
          group={t('Disputes')}
          actions={[
            ...(canRecord ? [{ keys: 'N', label: t('Record dispute'), run: () => setRecording(true) }] : []),
            ...(canCheck ? [{ keys: 'R', label: t('Check processors'), isBusy: checking.isPending, run: () => checking.mutate() }] : []),
          ]}
        >
          <SavedViews />
        </PageActions>
      }
    >
      {checking.error && <FailureNote failure={checking.error} />}
      {isRecording && (
        <DisputeForm
          onClose={() => setRecording(false)}
          onOpened={({ disputeId: id }) => {
            setRecording(false);
            open(id);
          }}
        />
      )}
      <SummaryStrip merchantId={merchant.merchantId} />
      <TabRow label={t('Dispute lists')} tabs={TABS} value={tab.id} onChange={(id) => go({ tab: id })} />
      <RecordList
        leaveOut={LEAVE_OUT}
        list={`disputes ${tab.id}`}
        query={list}
        label={tab.name}
        columns={columns}
        idOf={(row) => row.disputeId}
        page={page}
        sort={{ allowed: SORTS, value: values.sort, onSort: (sort) => go({ tab: tab.id, sort }) }}
        totals={<Totals label={t('Amount')} totals={totals.data} />}
        onPage={(next) => go({ ...values, page: next })}
        openId={disputeId}
        onOpen={(row) => open(row.disputeId)}
        empty={<EmptyState title={EMPTY_TEXTS[tab.id][0]}>{EMPTY_TEXTS[tab.id][1]}</EmptyState>}
      />
      <RecordPanel label={t('Dispute')} {...panel}>
        {(id, isOpen) => <DisputeView disputeId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

/** Figures of the disputes, absent while there are none: what is due, the amount at stake and the win rate. */
function SummaryStrip({ merchantId }: { merchantId: string }) {
  const summary = useQuery(disputeSummaryQuery(merchantId));
  if (summary.error && !summary.data) return <FailureNote failure={summary.error} onRetry={() => void summary.refetch()} />;
  const data = summary.data;
  if (data && data.dueCount + data.wonCount + data.lostCount === 0 && data.amountAtStake === 0) return null;
  const figures = [
    [t('Response due'), data ? String(data.dueCount) : '–'],
    [t('Due within 7 days'), data ? String(data.dueSoonCount) : '–'],
    [t('Next due date'), data?.nextDueDate ? dayText(data.nextDueDate) : '–'],
    [
      data ? t('At stake, {{count, number}} disputes', { count: data.activeCount }) : t('At stake'),
      data ? writeMoney(data.amountAtStake, data.currency) : '–',
    ],
    [t('Won', { context: 'disputes' }), data ? String(data.wonCount) : '–'],
    [t('Lost or accepted'), data ? String(data.lostCount) : '–'],
    [t('Win rate'), data?.winRate == null ? '–' : `${Math.round(data.winRate * 100)}%`],
  ] as const;
  return <FigureStrip label={t('Dispute figures')} figures={figures.map(([name, value]) => ({ name, value }))} />;
}
