import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote, FormDialog, SelectField, useSubmit } from '#renderer/kit/ui';
import { AllowedAddressesField, PermissionGrid } from '#renderer/session/permissions';
import { useMe, useMerchant } from '#renderer/session/user';
import { AllowedOriginsField } from './allowed-origins.tsx';
import { type CreatedKey, createKey, refreshKeys } from './queries.ts';
import { type LimitsForm, limitsOf, SpendingLimitsFields } from './spending-limits.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  ['', t('Never')],
  ['30', t('In 30 days')],
  ['90', t('In 90 days')],
  ['365', t('In a year')],
] as const;

/** Creates a key: merchant, permissions, expiry, spending limits and origins. */
export function NewKeyDialog({ onMade, onClose }: { onMade: (key: CreatedKey) => void; onClose: () => void }) {
  const { user: me } = useMe();
  const merchant = useMerchant();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'merchant' | 'tenant'>('merchant');
  const [days, setDays] = useState('');
  const [isLimited, setLimited] = useState(false);
  const [permissions, setPermissions] = useState<string[]>(['transactions:read', 'transactions:write']);
  const [limits, setLimits] = useState<LimitsForm | null>(null);
  const [origins, setOrigins] = useState<string[]>([]);
  const [addresses, setAddresses] = useState<string[]>([]);
  const create = useSubmit({
    send: () =>
      createKey({
        name: name.trim(),
        scope,
        merchantId: merchant.merchantId,
        permissions: isLimited ? permissions : undefined,
        expiresAt: days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        spendingLimits: limitsOf(limits),
        allowedOrigins: origins,
        allowedAddresses: addresses,
      }),
    refresh: refreshKeys,
    onDone: onMade,
    onClose,
  });
  const isNameWrong = create.failure?.field === 'name';
  const limitFault = create.failure?.field?.startsWith('spendingLimits') ? create.failure.message : undefined;
  const originFault = create.failure?.field?.startsWith('allowedOrigins') ? create.failure.message : undefined;
  const addressFault = create.failure?.field?.startsWith('allowedAddresses') ? create.failure.message : undefined;
  return (
    <FormDialog {...create} title={t('New API key')} submitLabel={t('Create key')}>
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="key-name"
          label={t('Name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isNameWrong}
          helperText={isNameWrong ? create.failure?.message : t('The program that uses it')}
          autoFocus
          slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
        />
        <TextField
          id="key-scope"
          select
          label={t('Merchants')}
          value={scope}
          onChange={(event) => setScope(event.target.value as 'merchant')}
        >
          <MenuItem value="merchant">{merchant.name}</MenuItem>
          {me.merchantId === null && <MenuItem value="tenant">{t('All merchants of the account')}</MenuItem>}
        </TextField>
        <SelectField
          id="key-life"
          label={t('Expires')}
          value={days}
          options={LIFETIMES}
          onChange={setDays}
          slotProps={{ select: { displayEmpty: true } }}
        />
        <FormControlLabel
          control={<Switch checked={isLimited} onChange={(_, next) => setLimited(next)} />}
          label={t('Limit permissions (default: all of yours except users, roles and keys)')}
        />
        {isLimited && <PermissionGrid value={permissions} onValue={setPermissions} within={me.permissions} isReadOnly={false} />}
        <SpendingLimitsFields value={limits} onValue={setLimits} fault={limitFault} />
        <AllowedOriginsField value={origins} onValue={setOrigins} fault={originFault} />
        <AllowedAddressesField value={addresses} onValue={setAddresses} fault={addressFault} />
        {create.failure && !isNameWrong && (limitFault ?? originFault ?? addressFault) === undefined && (
          <FailureNote failure={create.failure} />
        )}
      </Box>
    </FormDialog>
  );
}
