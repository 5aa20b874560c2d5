import Box from '@mui/material/Box';
import { useState } from 'react';
import { useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { PageActions } from '#renderer/kit/record';
import { Screen } from '#renderer/kit/ui';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { SETTINGS_PAGES } from '#renderer/shared/settings-pages';
import { AmountsTab } from './amounts-tab.tsx';
import { ApprovalsTab } from './approvals-tab.tsx';
import { BrandingTab } from './branding-tab.tsx';
import { CardReadersTab } from './card-readers/index.ts';
import { ChannelsTab } from './channels-tab.tsx';
import { DunningTab, FeesTab, ProfileTab, RefundsTab } from './form-tabs.tsx';
import { FraudTab } from './fraud-tab.tsx';
import { GatewaysTab } from './gateways/index.ts';
import { ItemsTab } from './items/index.ts';
import { LateFeesTab } from './late-fees/index.ts';
import { MerchantsTab } from './merchants-tab.tsx';
import { PayersTab } from './payers-tab.tsx';
import { RemindersTab } from './reminders/index.ts';
import { RoutingTab } from './routing-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { TerminalTab } from './terminal-tab.tsx';

const PAGES = SETTINGS_PAGES.filter(({ path }) => path.startsWith('/settings/'));

/** Content of each tab by the last part of its address. */
const CONTENTS = {
  profile: ProfileTab,
  branding: BrandingTab,
  payers: PayersTab,
  channels: ChannelsTab,
  terminal: TerminalTab,
  readers: CardReadersTab,
  items: ItemsTab,
  amounts: AmountsTab,
  gateways: GatewaysTab,
  routing: RoutingTab,
  fraud: FraudTab,
  reminders: RemindersTab,
  'late-fees': LateFeesTab,
  dunning: DunningTab,
  refunds: RefundsTab,
  approvals: ApprovalsTab,
  fees: FeesTab,
  security: SecurityTab,
  merchants: MerchantsTab,
} as const;

const PANEL = {
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  p: 5,
  minWidth: 0,
  maxWidth: { xs: 856, xl: 1120 },
} as const;

/** Settings of the selected merchant. Each tab is one settings object of the API. */
export function SettingsScreen() {
  const { tab } = useParams();
  const merchant = useMerchant();
  const may = useMay();
  const { user } = useMe();
  const [addingIn, setAddingIn] = useState<string>();
  const page = PAGES.find(({ path }) => path === `/settings/${tab}`) ?? PAGES[0];
  const path = page?.path.split('/')[2] as keyof typeof CONTENTS;
  const Content = CONTENTS[path];
  const additions: Readonly<Record<string, readonly [label: string, isAllowed: boolean]>> = {
    items: [t('Add item'), may('items:write')],
    readers: [t('Pair card reader'), may('terminals:write')],
    merchants: [t('Add merchant'), may('merchants:write') && user.merchantId === null],
  };
  const [addLabel, mayAdd] = additions[path] ?? ['', false];
  return (
    <Screen
      title={page?.name ?? t('Settings')}
      subtitle={t('Settings for {{merchant}}.', { merchant: merchant.name })}
      actions={
        mayAdd && (
          <PageActions group={page?.name ?? t('Settings')} actions={[{ keys: 'N', label: addLabel, run: () => setAddingIn(path) }]} />
        )
      }
    >
      <Box key={merchant.merchantId} sx={PANEL}>
        <Content
          merchantId={merchant.merchantId}
          isNewOpen={addingIn === path}
          onNewOpen={(isOpen) => setAddingIn(isOpen ? path : undefined)}
        />
      </Box>
    </Screen>
  );
}
