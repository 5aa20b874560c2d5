import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import type { QueueEntry } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { sumsText, writeMoney } from '#renderer/base/money';
import { TabRow } from '#renderer/kit/choices';
import { type BulkAction, RecordList } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { EmptyState, Screen, statusStyle } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { columnsFor } from './columns.tsx';
import { EntryView } from './entry-view.tsx';
import { queueQuery, refreshQueue, retry, TABS } from './queries.ts';
import { StatsStrip } from './stats-strip.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['attemptCount', 'scheduledRetryAt', 'declineReason'];

type TabId = (typeof TABS)[number]['id'];

const ADDRESS = addressSchema({ tab: oneOf(TABS.map(({ id }) => id)) });
const COUNTDOWN_MS = 5_000;
const EMPTY_TEXTS = {
  failed: [t('No refunds need attention'), t('Refunds that still fail after all retries appear here.')],
  open: [t('No refunds pending'), t('Declined refunds that are being retried appear here.')],
  closed: [t('No closed refunds'), t('Resolved and canceled refunds appear here.')],
} as const;

const nameOf = ({ customer, amount, currency }: QueueEntry) =>
  [customer?.name ?? customer?.email, writeMoney(amount, currency)].filter(Boolean).join(', ');

/** Sends refunds again. The question names the money that leaves. */
const RETRY: readonly BulkAction<QueueEntry>[] = [
  {
    label: t('Retry now'),
    explain: (rows) =>
      t('Sends {{count, number}} refunds to the processor again: {{sums}}. Approved money leaves, and you can’t undo it.', {
        count: rows.length,
        sums: sumsText(rows),
      }),
    reason: ({ status }) => (status === 'resolved' || status === 'cancelled' ? t('closed') : undefined),
    run: async ({ id }) => {
      const { status } = await retry(id);
      return statusStyle(status).label;
    },
    onDone: () => void refreshQueue(),
  },
];

/** Declined refunds: those that need a person, those that are retried automatically, and closed ones. */
export function RefundQueueScreen() {
  const merchant = useMerchant();
  const canRetry = useMay()('refunds:write');
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: entryId, open, panel } = useRecordAddress('/refund-queue', search);
  const nowMs = useTenantNow(COUNTDOWN_MS);
  const { page } = values;
  const counts = { failed: useQuery(queueQuery('failed', 1)).data?.total, open: useQuery(queueQuery('open', 1)).data?.total };
  const [firstTab, setFirstTab] = useState<TabId>();
  // Chosen once, so that the list does not change when its last entry is resolved.
  if (firstTab === undefined && counts.failed !== undefined && counts.open !== undefined)
    setFirstTab(counts.failed === 0 && counts.open > 0 ? 'waiting' : 'needs-you');
  const tab = TABS.find(({ id }) => id === (values.tab ?? firstTab)) ?? TABS[0];
  const list = useQuery(queueQuery(tab.status, page));
  const columns = useMemo(() => columnsFor(merchant, nowMs), [merchant, nowMs]);

  return (
    <Screen
      title={t('Failed refunds')}
      fillsHeight
      subtitle={t('Declined refunds. We retry automatically; review the ones that still fail.')}
      actions={<SavedViews />}
    >
      <StatsStrip />
      <TabRow
        label={t('Refund lists')}
        tabs={TABS.map(({ id, name, status }) => ({
          id,
          name: status !== 'closed' && counts[status] ? `${name} (${counts[status]})` : name,
        }))}
        value={tab.id}
        onChange={(id) => go({ tab: id })}
      />
      <RecordList
        leaveOut={LEAVE_OUT}
        bulk={canRetry ? RETRY : undefined}
        nameOf={nameOf}
        list={`refunds ${tab.id}`}
        query={list}
        label={tab.name}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={(next) => go({ tab: tab.id, page: next })}
        openId={entryId}
        onOpen={(row) => open(row.id)}
        empty={<EmptyState title={EMPTY_TEXTS[tab.status][0]}>{EMPTY_TEXTS[tab.status][1]}</EmptyState>}
      />
      <RecordPanel label={t('Declined refund')} {...panel}>
        {(id, isOpen) => <EntryView entryId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}
