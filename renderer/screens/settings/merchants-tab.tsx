import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { Merchant } from '#renderer/base/client';
import { timeZoneName } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { CurrencyPicker, TimeZonePicker } from '#renderer/kit/pickers';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { chooseMerchant, refreshMe, useMay, useMe, useMerchant } from '#renderer/session/user';
import { ClosedMerchants, CloseMerchant } from './closing-merchants.tsx';
import type { ListTabProps } from './form-tabs.tsx';
import { MaximumPermissions } from './maximum-permissions.tsx';
import { createMerchant } from './sections.ts';

/** Merchants of the account, with actions to switch, add, close and reopen, and the maximum permissions of the selected one. */
export function MerchantsTab({ merchantId, isNewOpen, onNewOpen }: ListTabProps) {
  const { merchants, user } = useMe();
  const present = useMerchant();
  const canClose = useMay()('merchants:close') && user.merchantId === null;
  const [closing, setClosing] = useState<Merchant>();
  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 760 }}>
      <Box component="ul" aria-label={t('Merchants')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {merchants.map((merchant) => (
          <Box
            component="li"
            key={merchant.merchantId}
            sx={{
              display: 'flex',
              gap: 3,
              alignItems: 'center',
              minHeight: 56,
              flexWrap: 'wrap',
              '& + &': { borderTop: 1, borderColor: 'divider' },
            }}
          >
            <Box sx={{ flex: 1, minWidth: 200 }}>
              <Box sx={{ fontWeight: 600 }}>{merchant.name}</Box>
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                {merchant.currency}, {timeZoneName(merchant.timezone)}
              </Box>
            </Box>
            {merchant.merchantId === present.merchantId ? (
              <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('Current')}</Box>
            ) : (
              <Button variant="text" onClick={() => chooseMerchant(merchant.merchantId)}>
                {t('Switch')}
              </Button>
            )}
            {canClose && merchants.length > 1 && (
              <Button
                variant="text"
                color="error"
                onClick={() => setClosing(merchant)}
                aria-label={t('Close {{name}}', { name: merchant.name })}
              >
                {t('Close')}
              </Button>
            )}
          </Box>
        ))}
      </Box>
      {canClose && <ClosedMerchants />}
      <MaximumPermissions merchantId={merchantId} />
      {isNewOpen && <NewMerchant onClose={() => onNewOpen(false)} />}
      {closing && <CloseMerchant merchant={closing} onClose={() => setClosing(undefined)} />}
    </Box>
  );
}

function NewMerchant({ onClose }: { onClose: () => void }) {
  const present = useMerchant();
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState(present.currency);
  const [timezone, setTimezone] = useState(present.timezone);
  const create = useSubmit({
    send: () => createMerchant({ name: name.trim(), currency, timezone }),
    refreshFirst: refreshMe,
    toast: (merchant) => t('{{name}} is now the current merchant.', { name: merchant.name }),
    onDone: (merchant) => {
      chooseMerchant(merchant.merchantId);
      onClose();
    },
    onClose,
  });
  const faultOf = (field: string) => (create.failure?.field === field ? create.failure.message : undefined);
  const isAtField = ['name', 'currency', 'timezone'].includes(create.failure?.field ?? '');
  return (
    <FormDialog
      {...create}
      failure={isAtField ? null : create.failure}
      title={t('Add merchant')}
      submitLabel={t('Add merchant')}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="merchant-name"
          label={t('Name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={faultOf('name') !== undefined}
          helperText={faultOf('name')}
          autoFocus
          slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
        />
        <CurrencyPicker id="merchant-currency" label={t('Currency')} value={currency} onValue={setCurrency} fault={faultOf('currency')} />
        <TimeZonePicker id="merchant-timezone" label={t('Time zone')} value={timezone} onValue={setTimezone} fault={faultOf('timezone')} />
      </Box>
    </FormDialog>
  );
}
