import Box from '@mui/material/Box';
import { useRef } from 'react';
import type { SubscriptionSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ChoiceButtons, TabRow } from '#renderer/kit/choices';
import { SearchBox, statusStyle, useShortcuts } from '#renderer/kit/ui';
import { ENDINGS, TABS, type TabId, type ViewInAddress } from './use-view.ts';

interface ViewBarProps {
  readonly view: ViewInAddress;
  readonly summary: SubscriptionSummary | undefined;
}

/** Tabs by status and search by customer. */
export function ViewBar({ view, summary }: ViewBarProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts(t('Subscriptions'), [{ keys: '/', label: t('Find by customer'), run: () => search.current?.focus() }]);
  const pastDue = summary?.counts.past_due ?? 0;
  const nameOf = (id: TabId, name: string) => (id === 'past-due' && pastDue > 0 ? `${name} (${pastDue})` : name);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center' }}>
      <TabRow
        label={t('Subscription lists')}
        areChips
        tabs={TABS.map(({ id, name }) => ({ id, name: nameOf(id, name) }))}
        value={view.tab}
        onChange={(tab) => view.change({ tab })}
        sx={{ flex: 1, minWidth: 240 }}
      />
      {view.tab === 'ended' && (
        <ChoiceButtons
          label={t('Status of ended subscriptions')}
          options={ENDINGS.map(
            (ending) => [ending, `${statusStyle(ending, 'subscription').label} ${summary?.counts[ending] ?? ''}`] as const,
          )}
          value={view.ending}
          onChange={(ending) => view.change({ ending })}
        />
      )}
      <SearchBox
        label={t('Search by customer')}
        placeholder={t('Customer')}
        widthPx={240}
        value={view.q}
        inputRef={search}
        onSearch={(q) => view.change({ q })}
      />
    </Box>
  );
}
