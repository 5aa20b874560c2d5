import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, queryClient, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, showToast } from '#renderer/kit/ui';
import { roleName } from '#renderer/session/permissions';
import { useMe } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { ChoiceSetting, Group, SwitchSetting, TextSetting } from './fields.tsx';
import { SecretSetting } from './secret-setting.tsx';

const LISTED_MAX = 200;
const ALL_MERCHANTS = 'all';

const settingsQuery = queryOptions({ queryKey: ['company-sign-in'], queryFn: () => takeData(api.GET('/api/v1/company-sign-in')) });
const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: () => takePage(api.GET('/api/v1/roles', { params: { query: { limit: LISTED_MAX } } })),
});
const ownersQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['users', merchantId, 'owners'],
    queryFn: async () => {
      const query = { limit: LISTED_MAX };
      const users = await takePage(api.GET('/api/v1/merchants/{merchantId}/users', { params: { path: { merchantId }, query } }));
      return users.items.filter(({ role, twoFactor }) => role === 'owner' && twoFactor === 'totp');
    },
  });

type Settings = Awaited<ReturnType<NonNullable<typeof settingsQuery.queryFn>>>;
type Rule = Settings['groups'][number];

/** Company sign-in by OpenID Connect, for owners. */
export function CompanySignIn({ merchantId }: { merchantId: string }) {
  const { user } = useMe();
  const isOwner = user.permissions.includes('owner:users') && user.merchantId === null;
  const { data, error } = useQuery({ ...settingsQuery, enabled: isOwner });
  if (!isOwner) return null;
  return (
    <Box component="section" sx={{ maxWidth: 760, display: 'grid', gap: 3 }}>
      {error && <FailureNote failure={error} />}
      {data && <SettingsForm key={data.updatedAt} stored={data} merchantId={merchantId} />}
    </Box>
  );
}

function SettingsForm({ stored, merchantId }: { stored: Settings; merchantId: string }) {
  const [draft, setDraft] = useState(stored);
  const [secret, setSecret] = useState('');
  const owners = useQuery(ownersQuery(merchantId)).data ?? [];
  const change = (values: Partial<Settings>) => setDraft({ ...draft, ...values });
  const save = useMutation({
    mutationFn: async () => {
      const { hasSecret: _, seenGroups: __, redirectUri: ___, logoutUri: ____, updatedAt: _____, ...body } = draft;
      const groups = draft.groups.filter(({ group }) => group.trim() !== '');
      return takeData(api.PUT('/api/v1/company-sign-in', { body: { ...body, groups, ...(secret !== '' && { clientSecret: secret }) } }));
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      showToast(t('Company sign-in saved.'));
    },
  });
  const field = { isReadOnly: save.isPending };
  const faultOf = (name: string) => (save.error?.field === name ? { fault: save.error.message } : {});
  return (
    <Group title={SETTING_NAMES.security.companySignIn}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('Users sign in with their company account (OpenID Connect). Their groups decide about their roles at each sign-in.')}
      </Box>
      <SwitchSetting label={t('Offer company sign-in')} checked={draft.isOn} onChecked={(isOn) => change({ isOn })} {...field} />
      {draft.isOn && (
        <>
          <TextSetting
            label={t('Name on the sign-in screen')}
            value={draft.name}
            onValue={(name) => change({ name })}
            {...field}
            {...faultOf('name')}
          />
          <TextSetting
            label={t('Address of the provider (issuer)')}
            value={draft.issuer}
            onValue={(issuer) => change({ issuer })}
            {...field}
            {...faultOf('issuer')}
          />
          <TextSetting
            label={t('Client ID')}
            value={draft.clientId}
            onValue={(clientId) => change({ clientId })}
            {...field}
            {...faultOf('clientId')}
          />
          <SecretSetting label={t('Client secret')} isKept={stored.hasSecret} value={secret} onValue={setSecret} {...field} />
          <Copied label={t('Redirect address to register')} value={stored.redirectUri} />
          <Copied label={t('Back-channel logout address')} value={stored.logoutUri} />
          <TextSetting
            label={t('Address of these screens')}
            help={t('Only if it isn’t the address of the server, such as behind a proxy.')}
            value={draft.address ?? ''}
            onValue={(address) => change({ address: address === '' ? null : address })}
            {...field}
            {...faultOf('address')}
          />
          <TextSetting
            label={t('Groups claim')}
            value={draft.groupsClaim}
            onValue={(groupsClaim) => change({ groupsClaim })}
            {...field}
            {...faultOf('groupsClaim')}
          />
          <TextSetting
            label={t('Domain of Google Workspace')}
            value={draft.domain ?? ''}
            onValue={(domain) => change({ domain: domain === '' ? null : domain })}
            {...field}
            {...faultOf('domain')}
          />
          <GroupRules rules={draft.groups} seen={stored.seenGroups} onRules={(groups) => change({ groups })} isReadOnly={save.isPending} />
          <SwitchSetting
            label={SETTING_NAMES.security.requireCompanySignIn}
            help={t('Passwords of all users but one owner are refused. That owner needs a password and an authenticator app.')}
            checked={draft.isRequired}
            onChecked={(isRequired) => change({ isRequired })}
            {...field}
            {...faultOf('isRequired')}
          />
          {draft.isRequired && (
            <ChoiceSetting
              label={t('Owner who can sign in with a password')}
              value={draft.breakGlassUserId ?? ''}
              options={[['', t('None')], ...owners.map(({ userId, email }) => [userId, email] as const)]}
              onValue={(breakGlassUserId) => change({ breakGlassUserId: breakGlassUserId === '' ? null : breakGlassUserId })}
              {...field}
              {...faultOf('breakGlassUserId')}
            />
          )}
        </>
      )}
      {save.error && <FailureNote failure={save.error} />}
      {(draft.isOn || stored.isOn) && (
        <Box>
          <Button variant="contained" loading={save.isPending} onClick={() => save.mutate()}>
            {t('Save company sign-in')}
          </Button>
        </Box>
      )}
    </Group>
  );
}

/** An address to copy into the settings of the provider. */
function Copied({ label, value }: { label: string; value: string }) {
  return <TextField id={useId()} label={label} value={value} slotProps={{ input: { readOnly: true } }} />;
}

interface GroupRulesProps {
  readonly rules: readonly Rule[];
  readonly seen: readonly string[];
  readonly onRules: (rules: Rule[]) => void;
  readonly isReadOnly: boolean;
}

/** Table from groups to roles and merchants, in the order of precedence. */
function GroupRules({ rules, seen, onRules, isReadOnly }: GroupRulesProps) {
  const { merchants } = useMe();
  const roles = useQuery(rolesQuery).data?.items ?? [];
  const id = useId();
  const change = (index: number, values: Partial<Rule>) => onRules(rules.map((rule, n) => (n === index ? { ...rule, ...values } : rule)));
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('The first line whose group a user has applies.')}</Box>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity, and its fields are controlled
        <Box key={index} sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr 1fr auto' } }}>
          <Autocomplete
            id={`${id}-${index}`}
            freeSolo
            options={seen}
            inputValue={rule.group}
            onInputChange={(_, group) => change(index, { group })}
            disabled={isReadOnly}
            renderInput={(props) => <TextField {...props} label={t('Group')} />}
          />
          <ChoiceSetting
            label={t('Role')}
            value={rule.role}
            options={roles.filter(({ id: role }) => role !== 'owner').map((role) => [role.id, roleName(role.name)] as const)}
            onValue={(role) => change(index, { role })}
            isReadOnly={isReadOnly}
          />
          <ChoiceSetting
            label={t('Merchant')}
            value={rule.merchantId ?? ALL_MERCHANTS}
            options={[[ALL_MERCHANTS, t('All merchants')], ...merchants.map(({ merchantId, name }) => [merchantId, name] as const)]}
            onValue={(value) => change(index, { merchantId: value === ALL_MERCHANTS ? null : value })}
            isReadOnly={isReadOnly}
          />
          <Button disabled={isReadOnly} sx={{ alignSelf: 'end', height: 40 }} onClick={() => onRules(rules.filter((_, n) => n !== index))}>
            {t('Remove')}
          </Button>
        </Box>
      ))}
      <Box>
        <Button
          variant="outlined"
          disabled={isReadOnly}
          onClick={() => onRules([...rules, { group: '', role: 'viewer', merchantId: null }])}
        >
          {t('Add group')}
        </Button>
      </Box>
    </Box>
  );
}
