import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { ApiKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { FactList, fullTime, PanelForm, useHeadingFocus, useSubmit } from '#renderer/kit/ui';
import { AllowedAddressesField, PermissionGrid } from '#renderer/session/permissions';
import { useMe, useMerchant } from '#renderer/session/user';
import { AllowedOriginsField } from './allowed-origins.tsx';
import { creatorText } from './creator-text.ts';
import { changeKey, refreshKeys, revokeKey } from './queries.ts';
import { describeLimits, limitsFormOf, limitsOf, SpendingLimitsFields } from './spending-limits.tsx';

const TIERS: Readonly<Record<NonNullable<ApiKey['tier']>, string>> = {
  sandbox: t('Sandbox'),
  standard: t('Standard'),
  professional: t('Professional'),
  enterprise: t('Enterprise'),
};

/** An API key with forms to change and revoke it. */
export function KeyDetail({ apiKey, canWrite }: { apiKey: ApiKey; canWrite: boolean }) {
  const { merchants } = useMe();
  const { timezone } = useMerchant();
  const [panel, setPanel] = useState<'change' | 'revoke'>();
  const merchant = merchants.find(({ merchantId }) => merchantId === apiKey.merchantId);
  const creator = creatorText(apiKey);
  const createdAt = fullTime(apiKey.createdAt, timezone);
  const heading = useHeadingFocus(true);
  const time = (at: string | null) => (at ? fullTime(at, timezone) : null);
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <RecordHeader title={apiKey.name} status={apiKey.status} of="apiKey" headingRef={heading} />
      <FactList
        facts={[
          [t('Merchants'), apiKey.scope === 'tenant' ? t('All merchants') : (merchant?.name ?? apiKey.merchantId)],
          [t('Last 4'), apiKey.last4],
          [t('Tier'), apiKey.tier && TIERS[apiKey.tier]],
          [t('Expires'), time(apiKey.expiresAt) ?? t('Never')],
          [t('Last used'), time(apiKey.lastUsedAt) ?? t('Never')],
          [t('Revoked'), time(apiKey.revokedAt)],
          [t('Created'), creator ? t('{{time}} by {{user}}', { time: createdAt, user: creator }) : createdAt],
          [t('Spending limits'), describeLimits(apiKey) ?? t('None')],
          [t('Allowed origins'), apiKey.allowedOrigins.join(', ') || t('None')],
          [t('Allowed addresses'), apiKey.allowedAddresses.join(', ') || t('All')],
          [t('Permissions'), apiKey.permissions.join(', ')],
        ]}
      />
      <RecordActions
        group={t('This API key')}
        actions={
          canWrite && apiKey.status !== 'revoked'
            ? [
                { label: t('Edit key'), isOpen: panel === 'change', run: () => setPanel('change') },
                { label: t('Revoke key'), run: () => setPanel('revoke'), isDangerous: true },
              ]
            : []
        }
      />
      {panel === 'change' && <ChangePanel apiKey={apiKey} onClose={() => setPanel(undefined)} />}
      {panel === 'revoke' && <RevokePanel apiKey={apiKey} onClose={() => setPanel(undefined)} />}
    </Box>
  );
}

function ChangePanel({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { user: me } = useMe();
  const [name, setName] = useState(apiKey.name);
  const [permissions, setPermissions] = useState<string[]>([...apiKey.permissions]);
  const [limits, setLimits] = useState(limitsFormOf(apiKey));
  const [origins, setOrigins] = useState(apiKey.allowedOrigins);
  const [addresses, setAddresses] = useState(apiKey.allowedAddresses);
  const form = useSubmit({
    send: () =>
      changeKey(apiKey.id, {
        name: name.trim(),
        permissions,
        spendingLimits: limitsOf(limits),
        allowedOrigins: [...origins],
        allowedAddresses: [...addresses],
      }),
    refresh: refreshKeys,
    toast: t('Saved. Applies from the next request.'),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Edit key')}
      explanation={t('The key itself doesn’t change. You can grant only permissions that you have.')}
      submitLabel={t('Save')}
    >
      <TextField
        id="change-key-name"
        label={t('Name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
      />
      <PermissionGrid value={permissions} onValue={setPermissions} within={me.permissions} isReadOnly={false} />
      <SpendingLimitsFields value={limits} onValue={setLimits} />
      <AllowedOriginsField value={origins} onValue={setOrigins} />
      <AllowedAddressesField value={addresses} onValue={setAddresses} />
    </PanelForm>
  );
}

function RevokePanel({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const form = useSubmit({
    send: () => revokeKey(apiKey.id),
    refresh: refreshKeys,
    toast: t('{{name}} is revoked.', { name: apiKey.name }),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Revoke {{name}}?', { name: apiKey.name })}
      explanation={t('Requests with this key are rejected immediately. You can’t undo this.')}
      submitLabel={t('Revoke {{name}}', { name: apiKey.name })}
      isDangerous
      focusesSubmit
    />
  );
}
