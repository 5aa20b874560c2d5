import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { DataTable, stepRows } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { EmptyState, QueryContent, Screen, SideDrawer, useShortcuts } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { columnsFor } from './columns.tsx';
import { EntryView } from './entry-view.tsx';
import { PAGE_SIZE, queueQuery, TABS } from './queries.ts';
import { StatsStrip } from './stats-strip.tsx';

type TabId = (typeof TABS)[number]['id'];

const ADDRESS = addressSchema({ tab: oneOf(TABS.map(({ id }) => id)) });
const FIRST_FIELD = 'createdAt';
const COUNTDOWN_MS = 5_000;
const EMPTY_TEXTS = {
  failed: [t('No refunds need attention'), t('Refunds that still fail after all retries appear here.')],
  open: [t('No refunds pending'), t('Declined refunds that are being retried appear here.')],
  closed: [t('No closed refunds'), t('Resolved and canceled refunds appear here.')],
} as const;

/** Declined refunds: those that need a person, those that are retried automatically, and closed ones. */
export function RefundQueueScreen() {
  const merchant = useMerchant();
  const navigate = useNavigate();
  const { entryId } = useParams();
  const { values, search, go } = useAddress(ADDRESS);
  const grid = useGridApiRef();
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
  const open = (id: string) => void navigate({ pathname: `/refund-queue/${id}`, search });
  const close = () => void navigate({ pathname: '/refund-queue', search });

  const step = (offset: 1 | -1) => {
    const ids = list.data?.items.map((row) => row.id) ?? [];
    stepRows({ grid, ids, openId: entryId, onOpen: open, field: FIRST_FIELD }, offset);
  };
  useShortcuts(t('Failed refunds'), [
    { keys: 'J', label: t('Next refund'), run: () => step(1) },
    { keys: 'K', label: t('Previous refund'), run: () => step(-1) },
  ]);

  return (
    <Screen
      title={t('Failed refunds')}
      fillsHeight
      subtitle={t('Declined refunds. We retry automatically; review the ones that still fail.')}
      actions={<SavedViews />}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <StatsStrip />
        <Tabs value={tab.id} onChange={(_, id: TabId) => go({ tab: id })} aria-label={t('Refund lists')}>
          {TABS.map(({ id, name, status }) => (
            <Tab key={id} value={id} label={status !== 'closed' && counts[status] ? `${name} (${counts[status]})` : name} />
          ))}
        </Tabs>
        <QueryContent query={list} skeleton={<Box sx={{ flex: 1 }} />}>
          {(data) => (
            <DataTable
              list={`refunds ${tab.id}`}
              label={tab.name}
              apiRef={grid}
              rows={data.items}
              columns={columns}
              getRowId={(row) => row.id}
              getRowClassName={({ row }) => (row.id === entryId ? 'is-open' : '')}
              total={data.total}
              page={page}
              pageSize={PAGE_SIZE}
              isLoading={list.isPlaceholderData}
              onPage={(next) => go({ tab: tab.id, page: next })}
              onOpen={(row) => open(row.id)}
              empty={<EmptyState title={EMPTY_TEXTS[tab.status][0]}>{EMPTY_TEXTS[tab.status][1]}</EmptyState>}
            />
          )}
        </QueryContent>
      </Box>
      <SideDrawer
        label={t('Declined refund')}
        openId={entryId}
        onClose={close}
        onClosed={(id) => grid.current?.getCellElement(id, FIRST_FIELD)?.focus()}
      >
        {(id, isOpen) => <EntryView entryId={id} takesFocus={isOpen} />}
      </SideDrawer>
    </Screen>
  );
}
