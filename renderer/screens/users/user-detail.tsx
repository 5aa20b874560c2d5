import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  FactList,
  FailureNote,
  fullTime,
  PanelForm,
  phoneText,
  showToast,
  statusStyle,
  useHeadingFocus,
  useSubmit,
} from '#renderer/kit/ui';
import { PermissionGrid, roleName } from '#renderer/session/permissions';
import { companySignInsQuery, useMay, useMe, useMerchant } from '#renderer/session/user';
import { canManage } from './can-manage.ts';
import { LostKeys } from './lost-keys.tsx';
import {
  allowCompanyAccount,
  changeUser,
  inviteAgain,
  refreshUsers,
  removePin,
  removeUser,
  resetTwoFactor,
  rolesQuery,
} from './queries.ts';
import { RoleField } from './role-field.tsx';

interface UserDetailProps {
  readonly user: User;
  readonly merchantId: string;
  /** Merchants of the user, as text. */
  readonly merchantsText: string;
  readonly onInvited: (url: string) => void;
  /** Called when the user was deleted. */
  readonly onClose: () => void;
}

type Panel = 'role' | 'permissions' | 'two-factor' | 'pin' | 'remove';

/** A user with forms to change role, permissions and two-factor, and to remove the user. */
export function UserDetail({ user, merchantId, merchantsText, onInvited, onClose }: UserDetailProps) {
  const may = useMay();
  const { user: me } = useMe();
  const canWrite = may('users:write') && canManage(me, user);
  const isBlocked = may('users:write') && !canWrite;
  const [panel, setPanel] = useState<Panel>();
  const invite = useSubmit({
    send: () => inviteAgain(merchantId, user.id),
    refresh: refreshUsers,
    onDone: ({ inviteUrl }) => {
      if (inviteUrl) onInvited(inviteUrl);
      else showToast(t('A link was sent to {{email}}.', { email: user.email }));
    },
  });
  const { tenant } = useMe();
  const offersCompany = (useQuery(companySignInsQuery).data ?? []).some(({ tenantId }) => tenantId === tenant.tenantId);
  const allow = useMutation({
    mutationFn: () => allowCompanyAccount(user.id),
    onSuccess: () =>
      showToast(t('The company account with the address {{email}} can sign in as this user within a week.', { email: user.email })),
  });
  const close = () => setPanel(undefined);
  const heading = useHeadingFocus(true);
  const { timezone } = useMerchant();
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <RecordHeader title={user.name ?? user.email} headingRef={heading} />
      <FactList
        facts={[
          [t('Email'), user.email],
          [t('Role'), roleText(user)],
          [t('Merchants'), merchantsText],
          [t('Phone'), user.phone && phoneText(user.phone)],
          [t('Two-factor'), { off: t('Off'), email: t('Email'), sms: t('Text message'), totp: t('Authenticator app') }[user.twoFactor]],
          ['PIN', user.hasPin ? t('Set') : t('None')],
          [t('Status'), statusStyle(user.status).label],
          [t('Last seen'), user.lastSeenAt ? fullTime(user.lastSeenAt, timezone) : t('Never')],
          [t('Created'), fullTime(user.createdAt, timezone)],
        ]}
      />
      <RecordActions
        group={t('This user')}
        actions={
          canWrite
            ? [
                { label: t('Edit'), isOpen: panel === 'role', run: () => setPanel('role') },
                {
                  label: user.status === 'invited' ? t('Resend invitation') : t('Send password link'),
                  isBusy: invite.isBusy,
                  run: () => invite.onSubmit(),
                },
                ...(offersCompany ? [{ label: t('Allow company account'), isBusy: allow.isPending, run: () => allow.mutate() }] : []),
                ...(user.role === 'owner' ? [] : [{ label: t('Custom permissions'), run: () => setPanel('permissions') }]),
                ...(user.twoFactor === 'off' ? [] : [{ label: t('Turn off two-factor'), run: () => setPanel('two-factor') }]),
                ...(user.hasPin ? [{ label: t('Remove PIN'), run: () => setPanel('pin') }] : []),
                { label: t('Remove user'), run: () => setPanel('remove'), isDangerous: true },
              ]
            : []
        }
      />
      {isBlocked && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {user.role === 'owner' ? t('Only an owner can change an owner.') : t('This user has permissions that you do not have.')}
        </Box>
      )}
      {invite.failure && <FailureNote failure={invite.failure} />}
      {allow.error && <FailureNote failure={allow.error} />}
      {panel === 'role' && <RolePanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'permissions' && <PermissionPanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'two-factor' && <TwoFactorPanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'pin' && <PinPanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'remove' && <RemovePanel user={user} merchantId={merchantId} onClose={close} onGone={onClose} />}
    </Box>
  );
}

const roleText = ({ role, ownPermissions }: User): string =>
  ownPermissions ? t('{{role}}, with custom permissions', { role: roleName(role) }) : roleName(role);

interface PanelProps {
  readonly user: User;
  readonly merchantId: string;
  readonly onClose: () => void;
}

function RolePanel({ user, merchantId, onClose }: PanelProps) {
  const { user: me } = useMe();
  const roles = useQuery(rolesQuery);
  const known = (roles.data?.items ?? []).filter((role) => canManage(me, role));
  const present = known.find(({ name }) => name === user.role)?.id ?? user.role;
  const [name, setName] = useState(user.name ?? '');
  const [role, setRole] = useState<string>();
  const [allMerchants, setAllMerchants] = useState(user.merchantId === null);
  const [kept, setKept] = useState<string[]>([]);
  const chosen = known.find(({ id }) => id === (role ?? present));
  const hasOtherRights = (role ?? present) !== present || allMerchants !== (user.merchantId === null);
  const permissions = user.ownPermissions ? user.permissions : (chosen?.permissions ?? user.permissions);
  const form = useSubmit({
    send: () => changeUser(merchantId, user.id, { name, role: role ?? present, allMerchants, keepApiKeyIds: kept }),
    refresh: refreshUsers,
    toast: t('Saved.'),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Name, role and merchants')}
      explanation={t('Applies from the user’s next request.')}
      submitLabel={t('Save')}
    >
      <TextField
        id="change-name"
        label={t('Name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
      />
      <RoleField
        id="change-role"
        roles={known.length > 0 ? known : [{ id: present, name: user.role }]}
        value={role ?? present}
        onChange={setRole}
      />
      {me.merchantId === null && (role ?? present) !== 'owner' && (
        <FormControlLabel
          control={<Switch checked={allMerchants} onChange={(_, next) => setAllMerchants(next)} />}
          label={t('Access to all merchants')}
        />
      )}
      {hasOtherRights && (
        <LostKeys
          people={{ createdById: user.id }}
          rights={{ permissions, merchantId: allMerchants ? null : merchantId }}
          kept={kept}
          onKept={setKept}
        />
      )}
    </PanelForm>
  );
}

function PermissionPanel({ user, merchantId, onClose }: PanelProps) {
  const { user: me } = useMe();
  const [isOwn, setOwn] = useState(user.ownPermissions);
  const [permissions, setPermissions] = useState<string[]>([...user.permissions]);
  const [kept, setKept] = useState<string[]>([]);
  const ofRole = useQuery(rolesQuery).data?.items.find(({ name }) => name === user.role)?.permissions;
  const form = useSubmit({
    send: () => changeUser(merchantId, user.id, { permissions: isOwn ? permissions : null, keepApiKeyIds: kept }),
    refresh: refreshUsers,
    toast: t('Saved.'),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Custom permissions')}
      explanation={t('They replace the role’s permissions. You can grant only permissions that you have.')}
      submitLabel={t('Save')}
    >
      <FormControlLabel
        control={<Switch checked={isOwn} onChange={(_, next) => setOwn(next)} />}
        label={t('Use custom permissions instead of the role’s')}
      />
      {isOwn && <PermissionGrid value={permissions} onValue={setPermissions} within={me.permissions} isReadOnly={false} />}
      <LostKeys
        people={{ createdById: user.id }}
        rights={{ permissions: isOwn ? permissions : (ofRole ?? user.permissions), merchantId: user.merchantId }}
        kept={kept}
        onKept={setKept}
      />
    </PanelForm>
  );
}

function TwoFactorPanel({ user, merchantId, onClose }: PanelProps) {
  const form = useSubmit({
    send: () => resetTwoFactor(merchantId, user.id),
    refresh: refreshUsers,
    toast: t('Two-factor authentication turned off.'),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Turn off two-factor?')}
      explanation={t(
        'Use this if the user lost the phone and the recovery codes. Sign-in then requires only the password. Make sure that the request really comes from this user.',
      )}
      submitLabel={t('Turn off two-factor')}
      isDangerous
      focusesSubmit
    />
  );
}

function PinPanel({ user, merchantId, onClose }: PanelProps) {
  const form = useSubmit({ send: () => removePin(merchantId, user.id), refresh: refreshUsers, toast: t('PIN removed.'), onClose });
  return (
    <PanelForm
      {...form}
      title={t('Remove the PIN?')}
      explanation={t(
        'Use this if others know the PIN. Until the user sets another one, the user can neither approve with a PIN nor take over a screen.',
      )}
      submitLabel={t('Remove PIN')}
      isDangerous
      focusesSubmit
    />
  );
}

function RemovePanel({ user, merchantId, onClose, onGone }: PanelProps & { readonly onGone: () => void }) {
  const [kept, setKept] = useState<string[]>([]);
  const form = useSubmit({
    send: () => removeUser(merchantId, user.id, { keepApiKeyIds: kept }),
    refresh: refreshUsers,
    toast: t('{{email}} was removed.', { email: user.email }),
    onDone: () => {
      onGone();
      onClose();
    },
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Remove {{email}}?', { email: user.email })}
      explanation={t(
        'The user is signed out everywhere immediately, and links to customer pages that they made are revoked. Their entries stay in the audit log.',
      )}
      submitLabel={t('Remove {{email}}', { email: user.email })}
      isDangerous
      focusesSubmit
    >
      <LostKeys people={{ createdById: user.id }} rights={null} kept={kept} onKept={setKept} />
    </PanelForm>
  );
}
