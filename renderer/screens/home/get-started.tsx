import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { useQuery } from '@tanstack/react-query';
import { Check, Circle } from 'lucide-react';
import { Link } from 'react-router';
import { persist } from 'zustand/middleware';
import { messageChannelsQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { useDesktop } from '#renderer/desktop/bridge';
import { usePrinter } from '#renderer/desktop/printing';
import { VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { statusQuery } from '#renderer/session/system-status';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { itemsQuery } from '#renderer/shared/items';
import { keysQuery } from '#renderer/shared/recovery-file';
import { Panel } from './panel.tsx';
import { lastSalesQuery, userCountQuery } from './queries.ts';

/** Number of payments from which a business is not new any more. */
const NEW_UNTIL_PAYMENTS = 100;

/** People who hid the steps on this workstation. */
const useHidden = createStore<{ readonly userIds: readonly string[] }>()(
  persist((): { readonly userIds: readonly string[] } => ({ userIds: [] }), { name: 'paydesk.get-started-hidden', version: 1 }),
);

interface Step {
  readonly name: string;
  readonly reason: string;
  readonly minutes: number;
  readonly to: string;
  readonly action: string;
  readonly isDone: boolean;
}

/** First steps of a new business, until they are done or hidden. Shown to users who manage the whole account. */
export function GetStarted() {
  const may = useMay();
  const { user } = useMe();
  const isHidden = useHidden(({ userIds }) => userIds.includes(user.userId));
  const managesAccount = may('merchants:write') && may('users:write') && may('settings:read') && user.merchantId === null;
  return managesAccount && !isHidden ? <Steps /> : null;
}

function Steps() {
  const { user } = useMe();
  const steps = useSteps();
  if (steps === null) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const hide = () => useHidden.setState(({ userIds }) => ({ userIds: [...userIds, user.userId] }));
  return (
    <Panel
      title={t('Get started')}
      link={
        <Button size="small" variant="text" onClick={hide}>
          {t('Hide')}
        </Button>
      }
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, mb: 2, fontSize: 12, color: 'text.secondary' }}>
        <LinearProgress
          variant="determinate"
          aria-label={t('Get started')}
          value={(done / steps.length) * 100}
          sx={{ flex: 1, borderRadius: 1 }}
        />
        {t('{{done}} of {{count, number}}', { done, count: steps.length })}
      </Box>
      <Box
        component="ul"
        aria-label={t('Get started')}
        sx={(theme) => ({ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` } })}
      >
        {steps.map((step) => (
          <StepLine key={step.name} step={step} />
        ))}
      </Box>
    </Panel>
  );
}

function StepLine({ step: { name, reason, minutes, to, action, isDone } }: { readonly step: Step }) {
  const Icon = isDone ? Check : Circle;
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: 44, py: 1 }}>
      <Box sx={{ display: 'inline-flex', color: isDone ? 'tone.success.main' : 'text.secondary' }}>
        <Icon size={18} strokeWidth={1.9} aria-hidden />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontSize: 14, fontWeight: 500, color: isDone ? 'text.secondary' : 'text.primary' }}>
          {name}
          {isDone && (
            <Box component="span" sx={VISUALLY_HIDDEN}>
              {` ${t('Done', { context: 'step' })}`}
            </Box>
          )}
        </Box>
        {!isDone && (
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{`${reason} ${t('{{count, number}} minutes', { count: minutes })}`}</Box>
        )}
      </Box>
      {!isDone && (
        <Button size="small" variant="outlined" component={Link} to={to} aria-label={`${action}: ${name}`} sx={{ flexShrink: 0 }}>
          {action}
        </Button>
      )}
    </Box>
  );
}

/** Returns the steps; null until they are known, and for a business that is not new any more. */
function useSteps(): readonly Step[] | null {
  const may = useMay();
  const merchant = useMerchant();
  const { merchantId } = merchant;
  const { receiptPrinter } = useDesktop();
  const printer = usePrinter();
  const sales = useQuery(lastSalesQuery(merchantId)).data;
  const isNew = sales !== undefined && sales.total < NEW_UNTIL_PAYMENTS;
  const keys = useQuery({ ...keysQuery, enabled: isNew && may('owner:keys') });
  const channels = useQuery({ ...messageChannelsQuery, enabled: isNew }).data;
  const items = useQuery({ ...itemsQuery(merchantId), enabled: isNew && may('items:read') }).data;
  const address = useQuery({ ...statusQuery, refetchInterval: false, enabled: isNew }).data?.items.find(
    ({ name }) => name === 'public-address',
  );
  const users = useQuery({ ...userCountQuery(merchantId), enabled: isNew }).data;
  if (!isNew || channels === undefined || items === undefined || users === undefined || keys.isLoading) return null;
  return [
    {
      name: t('Take a test sale'),
      reason: t('See what you and your customers see.'),
      minutes: 1,
      to: '/sell',
      action: t('Start'),
      isDone: sales.total > 0,
    },
    ...(keys.data?.mayChange && keys.data.keptIn !== 'memory'
      ? [
          {
            name: t('Save the recovery file'),
            reason: t('It restores stored cards if this computer is lost.'),
            minutes: 2,
            to: '/system/keys',
            action: t('Save', { context: 'verb' }),
            isDone: keys.data.recoveryFileSavedAt !== null,
          },
        ]
      : []),
    {
      name: t('Set up email'),
      reason: t('Receipts and invoices are sent by your mail server.'),
      minutes: 5,
      to: '/settings/channels',
      action: t('Set up'),
      isDone: channels.some(({ channel, isSetUp }) => channel === 'email' && isSetUp),
    },
    {
      name: t('Add items'),
      reason: t('Buttons and barcodes make a sale faster.'),
      minutes: 10,
      to: '/settings/items',
      action: t('Add'),
      isDone: items.length > 0,
    },
    {
      name: t('Set the tax'),
      reason: t('Sales tax is added or taken out of the price.'),
      minutes: 2,
      to: '/settings/amounts',
      action: t('Set'),
      isDone: merchant.amountSettings.taxPercent > 0,
    },
    {
      name: t('Invite people'),
      reason: t('Everyone signs in with an own account and role.'),
      minutes: 2,
      to: '/users',
      action: t('Invite'),
      isDone: users > 1,
    },
    ...(receiptPrinter
      ? [
          {
            name: t('Connect a printer'),
            reason: t('Receipts print by themselves after a sale.'),
            minutes: 5,
            to: '/sell',
            action: t('Connect'),
            isDone: printer !== null,
          },
        ]
      : []),
    ...(address
      ? [
          {
            name: t('Set the public address'),
            reason: t('Customers open invoices and payment links there.'),
            minutes: 5,
            to: '/settings/payers',
            action: t('Set'),
            isDone: address.state === 'ok',
          },
        ]
      : []),
  ];
}
