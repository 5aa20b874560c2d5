import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#renderer/client';
import { PermissionGrid } from '#renderer/permissions';
import { useMay, useMe, useMerchant } from '#renderer/session';
import { exactTime, FactList, FailureNote, PanelForm, sentenceCase, showToast } from '#renderer/ui';
import { holds } from './holds.ts';
import { changeUser, inviteAgain, refreshPeople, removeUser, resetTwoFactor, rolesQuery } from './queries.ts';

interface UserDetailProps {
  readonly user: User;
  readonly merchantId: string;
  /** Merchants of the user, as text. */
  readonly reach: string;
  readonly onInvited: (url: string) => void;
  /** Called when the user was deleted. */
  readonly onClose: () => void;
}

type Panel = 'role' | 'permissions' | 'two-factor' | 'remove';

/** A person: what they may do, and how that is changed. */
export function UserDetail({ user, merchantId, reach, onInvited, onClose }: UserDetailProps) {
  const may = useMay();
  const { user: me } = useMe();
  const canWrite = may('users:write') && holds(me, user);
  const isOwnersOnly = may('users:write') && !canWrite;
  const [panel, setPanel] = useState<Panel>();
  const invite = useMutation({
    mutationFn: () => inviteAgain(merchantId, user.id),
    onSuccess: ({ inviteUrl }) => {
      refreshPeople();
      if (inviteUrl) onInvited(inviteUrl);
      else showToast(`A link was sent to ${user.email}.`);
    },
  });
  const close = () => setPanel(undefined);
  const { timezone } = useMerchant();
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Typography variant="h2" sx={{ pr: 8, overflowWrap: 'anywhere' }}>
        {user.email}
      </Typography>
      <FactList
        facts={[
          ['Role', `${sentenceCase(user.role)}${user.ownPermissions ? ', with permissions of their own' : ''}`],
          ['Acts for', reach],
          ['Phone', user.phone],
          ['Code at sign-in', { off: 'No', email: 'By email', sms: 'By text message', totp: 'By authenticator app' }[user.twoFactor]],
          ['Status', sentenceCase(user.status)],
          ['Last seen', user.lastSeenAt ? exactTime(user.lastSeenAt, timezone) : 'Never'],
          ['Since', exactTime(user.createdAt, timezone)],
        ]}
      />
      {canWrite && !panel && (
        <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
          <Button variant="outlined" onClick={() => setPanel('role')}>
            Change role or reach
          </Button>
          {user.role !== 'owner' && (
            <Button variant="outlined" onClick={() => setPanel('permissions')}>
              Own permissions
            </Button>
          )}
          <Button variant="outlined" loading={invite.isPending} onClick={() => invite.mutate()}>
            {user.status === 'invited' ? 'Invite again' : 'Send password link'}
          </Button>
          {user.twoFactor !== 'off' && (
            <Button variant="outlined" onClick={() => setPanel('two-factor')}>
              Switch off second factor
            </Button>
          )}
          <Button variant="outlined" color="error" onClick={() => setPanel('remove')}>
            Remove
          </Button>
        </Box>
      )}
      {isOwnersOnly && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {user.role === 'owner' ? 'Only an owner can change an owner.' : 'This user has permissions that you do not have.'}
        </Box>
      )}
      {invite.error && <FailureNote failure={invite.error} />}
      {panel === 'role' && <RolePanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'permissions' && <PermissionPanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'two-factor' && <TwoFactorPanel user={user} merchantId={merchantId} onClose={close} />}
      {panel === 'remove' && <RemovePanel user={user} merchantId={merchantId} onClose={close} onGone={onClose} />}
    </Box>
  );
}

interface PanelProps {
  readonly user: User;
  readonly merchantId: string;
  readonly onClose: () => void;
}

function RolePanel({ user, merchantId, onClose }: PanelProps) {
  const { user: me } = useMe();
  const roles = useQuery(rolesQuery);
  const known = (roles.data?.items ?? []).filter((role) => holds(me, role));
  const present = known.find(({ name }) => name === user.role)?.id ?? user.role;
  const [role, setRole] = useState<string>();
  const [allMerchants, setAllMerchants] = useState(user.merchantId === null);
  const save = useMutation({
    mutationFn: () => changeUser(merchantId, user.id, { role: role ?? present, allMerchants }),
    onSuccess: () => {
      refreshPeople();
      showToast('Saved.');
      onClose();
    },
  });
  return (
    <PanelForm
      title="Role and reach"
      explanation="Holds with the person's next request."
      submitLabel="Save"
      isBusy={save.isPending}
      failure={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField id="change-role" select label="Role" value={role ?? present} onChange={(event) => setRole(event.target.value)}>
        {(known.length > 0 ? known : [{ id: present, name: user.role }]).map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {sentenceCase(name)}
          </MenuItem>
        ))}
      </TextField>
      {me.merchantId === null && (role ?? present) !== 'owner' && (
        <FormControlLabel
          control={<Switch checked={allMerchants} onChange={(_, next) => setAllMerchants(next)} />}
          label="Acts for every merchant"
        />
      )}
    </PanelForm>
  );
}

function PermissionPanel({ user, merchantId, onClose }: PanelProps) {
  const { user: me } = useMe();
  const [isOwn, setOwn] = useState(user.ownPermissions);
  const [permissions, setPermissions] = useState<string[]>([...user.permissions]);
  const save = useMutation({
    mutationFn: () => changeUser(merchantId, user.id, { permissions: isOwn ? permissions : null }),
    onSuccess: () => {
      refreshPeople();
      showToast('Saved.');
      onClose();
    },
  });
  return (
    <PanelForm
      title="Own permissions"
      explanation="They take the place of the role's. You can give what you have yourself."
      submitLabel="Save"
      isBusy={save.isPending}
      failure={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <FormControlLabel
        control={<Switch checked={isOwn} onChange={(_, next) => setOwn(next)} />}
        label="Permissions of their own, not the role's"
      />
      {isOwn && <PermissionGrid value={permissions} onValue={setPermissions} within={me.permissions} isReadOnly={false} />}
    </PanelForm>
  );
}

function TwoFactorPanel({ user, merchantId, onClose }: PanelProps) {
  const reset = useMutation({
    mutationFn: () => resetTwoFactor(merchantId, user.id),
    onSuccess: () => {
      refreshPeople();
      showToast('Second factor switched off.');
      onClose();
    },
  });
  return (
    <PanelForm
      title="Switch off the second factor?"
      explanation="For somebody who lost the phone and the recovery codes. Sign-in then asks for the password alone. Make sure that it is this person who asks."
      submitLabel="Switch off"
      isDangerous
      isBusy={reset.isPending}
      failure={reset.error}
      onSubmit={() => reset.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

function RemovePanel({ user, merchantId, onClose, onGone }: PanelProps & { readonly onGone: () => void }) {
  const remove = useMutation({
    mutationFn: () => removeUser(merchantId, user.id),
    onSuccess: () => {
      refreshPeople();
      showToast(`${user.email} is removed.`);
      onGone();
    },
  });
  return (
    <PanelForm
      title={`Remove ${user.email}?`}
      explanation="Signed out everywhere at once. What the person did stays in the audit log."
      submitLabel={`Remove ${user.email}`}
      isDangerous
      isBusy={remove.isPending}
      failure={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}
