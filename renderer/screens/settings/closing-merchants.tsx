import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Merchant } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { ConfirmDialog, Dialog, useSubmit } from '#renderer/kit/ui';
import { refreshMe } from '#renderer/session/user';
import { closedMerchantsQuery, closeMerchant, refreshSettings, reopenMerchant } from './sections.ts';

/** Records that prevent a merchant from being closed, by their kind in the API. */
const OBSTACLES: Readonly<Record<string, string>> = {
  open_authorizations: t('Open authorizations'),
  unconfirmed_payments: t('Unconfirmed payments'),
  pending_refunds: t('Pending refunds'),
  failed_refunds: t('Failed refunds'),
  unsettled_payments: t('Unsettled payments'),
  unpaid_settlements: t('Settlements that are not paid out'),
  open_payouts: t('Payouts in transit'),
  open_disputes: t('Open disputes'),
  open_invoices: t('Open invoices and links'),
  active_subscriptions: t('Active subscriptions'),
  active_installment_plans: t('Active installment plans'),
  queued_payments: t('Queued payments'),
  open_shifts: t('Open shifts'),
};

interface Obstacle {
  readonly kind: string;
  readonly count: number;
}

/** Dialog that closes a merchant, or says what must be done before. */
export function CloseMerchant({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const close = useSubmit({
    send: () => closeMerchant(merchant.merchantId),
    refreshFirst: () => Promise.all([refreshMe(), refreshSettings()]),
    onClose,
  });
  const obstacles = (close.failure?.details.obstacles ?? []) as readonly Obstacle[];
  if (obstacles.length > 0) return <Obstacles name={merchant.name} obstacles={obstacles} onClose={onClose} />;
  return (
    <ConfirmDialog
      {...close}
      title={t('Close {{name}}?', { name: merchant.name })}
      isOpen
      submitLabel={t('Close {{name}}', { name: merchant.name })}
      isDangerous
    >
      {t(
        'It can’t take payments anymore, its pay pages and API keys stop, and its users lose access. Its payments can still be refunded. You can reopen it within 30 days; after that it stays closed.',
      )}
    </ConfirmDialog>
  );
}

/** Dialog about what prevents the merchant from being closed; there is nothing to confirm. */
function Obstacles({ name, obstacles, onClose }: { name: string; obstacles: readonly Obstacle[]; onClose: () => void }) {
  return (
    <Dialog
      title={t('{{name}} can’t be closed yet', { name })}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          {t('Done')}
        </Button>
      }
    >
      {t('This merchant still has open business. Settle, pay out, cancel or refund these first:')}
      <Box component="ul" sx={{ mb: 0 }}>
        {obstacles.map(({ kind, count }) => (
          <li key={kind}>
            {OBSTACLES[kind] ?? kind}: {count}
          </li>
        ))}
      </Box>
    </Dialog>
  );
}

/** Closed merchants that can still be reopened. */
export function ClosedMerchants() {
  const { data: closed = [] } = useQuery(closedMerchantsQuery);
  const [reopening, setReopening] = useState<(typeof closed)[number]>();
  const reopen = useSubmit({
    send: (merchant: Merchant) => reopenMerchant(merchant.merchantId),
    toast: ({ name }) => t('{{name}} is open again.', { name }),
    refreshFirst: () => Promise.all([refreshMe(), refreshSettings()]),
    onClose: () => setReopening(undefined),
  });
  if (closed.length === 0) return null;
  return (
    <Box component="section" aria-label={t('Closed merchants')}>
      <Box component="h2" sx={{ fontSize: 14, fontWeight: 600, m: 0, mb: 2 }}>
        {t('Closed merchants')}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {closed.map((merchant) => (
          <Box
            component="li"
            key={merchant.merchantId}
            sx={{ display: 'flex', gap: 3, alignItems: 'center', minHeight: 56, flexWrap: 'wrap' }}
          >
            <Box sx={{ flex: 1, minWidth: 200 }}>
              <Box sx={{ fontWeight: 600 }}>{merchant.name}</Box>
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                {t('Can be reopened until {{day}}', {
                  day: dateFormat({ dateStyle: 'long' }).format(new Date(merchant.reopenUntil ?? '')),
                })}
              </Box>
            </Box>
            <Button variant="text" onClick={() => setReopening(merchant)} aria-label={t('Reopen {{name}}', { name: merchant.name })}>
              {t('Reopen')}
            </Button>
          </Box>
        ))}
      </Box>
      {reopening && (
        <ConfirmDialog
          {...reopen}
          title={t('Reopen {{name}}?', { name: reopening.name })}
          isOpen
          submitLabel={t('Reopen {{name}}', { name: reopening.name })}
          onSubmit={() => reopen.onSubmit(reopening)}
        >
          {t('It takes payments again, and its pay pages, API keys and users work as before.')}
        </ConfirmDialog>
      )}
    </Box>
  );
}
