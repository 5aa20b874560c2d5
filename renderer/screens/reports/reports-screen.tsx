import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { SavedViews } from '#renderer/kit/list-settings';
import { NOT_PRINTED, Screen } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { hasGiftCardsQuery } from '#renderer/shared/gift-cards';
import { itemsQuery } from '#renderer/shared/items';
import { daysText, weekdayText } from '#renderer/shared/reporting';
import { DailyCloseTab } from './daily-close-tab.tsx';
import { GiftCardsTab } from './gift-cards-tab.tsx';
import { ItemsTab } from './items-tab.tsx';
import { ReportTab } from './report-tab.tsx';
import { SettlementsTab } from './settlements-tab.tsx';

import { TABS, useDay, useView } from './use-view.ts';

/** Reports over time, and the close of a day. Every figure links to its transactions. */
export function ReportsScreen() {
  const merchant = useMerchant();
  const today = useToday();
  const view = useView(today);
  const [day] = useDay(today);
  const { tab } = view;
  const may = useMay();
  // A shop that only keys amounts has no report by item, and one without gift cards none of them.
  const { data: items } = useQuery({ ...itemsQuery(merchant.merchantId), enabled: may('items:read') });
  const { data: hasGiftCards = false } = useQuery({ ...hasGiftCardsQuery(merchant.merchantId), enabled: may('gift-cards:read') });
  const isOffered = { items: (items?.length ?? 0) > 0, 'gift-cards': hasGiftCards };
  const facts = tab === 'daily-close' ? `${merchant.name}, ${weekdayText(day)}` : `${merchant.name}, ${daysText(view.days)}`;
  return (
    <Screen title={t('Reports')} subtitle={facts} actions={<SavedViews path={`/reports/${tab}`} />}>
      <TabRow
        label={t('Report')}
        tabs={TABS.filter(({ id }) => id === tab || (id !== 'items' && id !== 'gift-cards') || isOffered[id]).map(({ id, name }) => ({
          id,
          name,
          to: `/reports/${id}${id === 'daily-close' ? '' : view.search}`,
        }))}
        value={tab}
        sx={NOT_PRINTED}
      />
      <Box role="tabpanel" aria-label={TABS.find(({ id }) => id === tab)?.name} key={merchant.merchantId}>
        {tab === 'daily-close' && <DailyCloseTab today={today} />}
        {tab === 'settlements' && <SettlementsTab view={view} today={today} />}
        {tab === 'items' && <ItemsTab view={view} today={today} />}
        {tab === 'gift-cards' && <GiftCardsTab view={view} today={today} />}
        {tab !== 'daily-close' && tab !== 'settlements' && tab !== 'items' && tab !== 'gift-cards' && (
          <ReportTab key={tab} id={tab} view={view} today={today} />
        )}
      </Box>
    </Screen>
  );
}
