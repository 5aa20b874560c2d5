import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { KeyHint, Screen } from '#renderer/kit/ui';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { AmountsTab } from './amounts-tab.tsx';
import { ApprovalsTab } from './approvals-tab.tsx';
import { BrandingTab } from './branding-tab.tsx';
import { CardReadersTab } from './card-readers/index.ts';
import { ChannelsTab } from './channels-tab.tsx';
import { DunningTab, FeesTab, ProfileTab, RefundsTab } from './form-tabs.tsx';
import { FraudTab } from './fraud-tab.tsx';
import { GatewaysTab } from './gateways/index.ts';
import { ItemsTab } from './items/index.ts';
import { MerchantsTab } from './merchants-tab.tsx';
import { PayersTab } from './payers-tab.tsx';
import { RoutingTab } from './routing-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { TerminalTab } from './terminal-tab.tsx';

const TABS = [
  ['profile', t('Profile'), ProfileTab],
  ['branding', t('Branding'), BrandingTab],
  ['payers', t('Payers'), PayersTab],
  ['channels', t('Messages'), ChannelsTab],
  ['terminal', t('Virtual terminal'), TerminalTab],
  ['readers', t('Card readers'), CardReadersTab],
  ['items', t('Items'), ItemsTab],
  ['amounts', t('Tax, tips, surcharge'), AmountsTab],
  ['gateways', t('Gateways'), GatewaysTab],
  ['routing', t('Routing'), RoutingTab],
  ['fraud', t('Fraud'), FraudTab],
  ['dunning', t('Dunning'), DunningTab],
  ['refunds', t('Refunds'), RefundsTab],
  ['approvals', t('Approvals'), ApprovalsTab],
  ['fees', t('Fees'), FeesTab],
  ['security', t('Security'), SecurityTab],
  ['merchants', t('Merchants'), MerchantsTab],
] as const;

const LAYOUT = { display: 'grid', gap: 5, gridTemplateColumns: '152px minmax(0, 808px)', alignItems: 'start' } as const;
/** The list of tabs stays in view while a long tab scrolls. */
const TABS_STYLE = {
  position: 'sticky',
  top: 16,
  '& .MuiTab-root': { alignItems: 'flex-start', textAlign: 'start', minHeight: 36, minWidth: 0, px: 3, py: 2 },
} as const;
const PANEL = { bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1, p: 5, minWidth: 0 } as const;

/** Settings of the selected merchant. Each tab is one settings object of the API. */
export function SettingsScreen() {
  const { tab } = useParams();
  const merchant = useMerchant();
  const may = useMay();
  const { user } = useMe();
  const [addingIn, setAddingIn] = useState<string>();
  const shown = TABS.filter(([path]) => {
    // Channels are set for the whole account, by users who act for it.
    if (path === 'channels') return may('settings:read') && user.merchantId === null;
    if (path === 'approvals') return may('approvals:read');
    if (path === 'items') return may('items:read');
    if (path === 'readers') return may('terminals:read');
    return path !== 'security' || may('settings:read');
  });
  const [path, , Content] = shown.find(([name]) => name === tab) ?? TABS[0];
  const canAddMerchant = may('merchants:write') && user.merchantId === null;
  const add = () => setAddingIn(path);
  return (
    <Screen
      title={t('Settings')}
      subtitle={t('Settings for {{merchant}}. Changes apply immediately.', { merchant: merchant.name })}
      actions={
        <>
          {path === 'items' && may('items:write') && (
            <Button variant="contained" color="primary" onClick={add} endIcon={<KeyHint keys="N" />} aria-keyshortcuts="N">
              {t('Add item')}
            </Button>
          )}
          {path === 'readers' && may('terminals:write') && (
            <Button variant="contained" color="primary" onClick={add} endIcon={<KeyHint keys="N" />} aria-keyshortcuts="N">
              {t('Pair card reader')}
            </Button>
          )}
          {path === 'merchants' && canAddMerchant && (
            <Button variant="contained" color="primary" onClick={add}>
              {t('Add merchant')}
            </Button>
          )}
        </>
      }
    >
      <Box sx={LAYOUT}>
        <Tabs value={path} aria-label={t('Settings')} orientation="vertical" sx={TABS_STYLE}>
          {shown.map(([name, label]) => (
            <Tab key={name} value={name} label={label} component={Link} to={`/settings/${name}`} />
          ))}
        </Tabs>
        <Box key={merchant.merchantId} role="tabpanel" aria-label={shown.find(([name]) => name === path)?.[1]} sx={PANEL}>
          <Content
            merchantId={merchant.merchantId}
            isNewOpen={addingIn === path}
            onNewOpen={(isOpen) => setAddingIn(isOpen ? path : undefined)}
          />
        </Box>
      </Box>
    </Screen>
  );
}
