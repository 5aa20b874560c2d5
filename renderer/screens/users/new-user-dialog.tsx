import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageChannelsQuery } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { CopyText, Dialog, dayText, FormDialog, useSubmit } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMe } from '#renderer/session/user';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { canManage } from './can-manage.ts';
import { createUser, refreshUsers, rolesQuery } from './queries.ts';
import { RoleField } from './role-field.tsx';

interface NewUserDialogProps {
  readonly merchantId: string;
  /** `url` is the page on which the invited user chooses a password. */
  readonly onDone: (email: string, url: string | undefined) => void;
  readonly onClose: () => void;
}

/** Creates a user with email address, role and merchants. The user sets the password with a link. */
export function NewUserDialog({ merchantId, onDone, onClose }: NewUserDialogProps) {
  const { user: me } = useMe();
  const roles = useQuery(rolesQuery);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState('cashier');
  const [phone, setPhone] = useState('');
  const [allMerchants, setAllMerchants] = useState(false);
  const create = useSubmit({
    send: () => createUser(merchantId, { email: email.trim(), name, role, allMerchants, phone: phone.trim() }),
    refresh: refreshUsers,
    onDone: (created) => onDone(created.email, created.inviteUrl),
    onClose,
  });
  const faultOf = (field: string) => (create.failure?.field === field ? create.failure.message : undefined);
  const isAtField = ['email', 'phone', 'role'].includes(create.failure?.field ?? '');
  const known = roles.data?.items.filter((one) => canManage(me, one)) ?? [{ id: 'cashier', name: 'cashier' }];
  return (
    <FormDialog {...create} failure={isAtField ? null : create.failure} title={t('New user')} submitLabel={t('Invite user')}>
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="user-email"
          label={t('Email')}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={faultOf('email') !== undefined}
          helperText={faultOf('email')}
          autoFocus
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 254 } }}
        />
        <TextField
          id="user-name"
          label={t('Name (optional)')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
        />
        <RoleField id="user-role" roles={known} value={role} onChange={setRole} fault={faultOf('role')} />
        <TextField
          id="user-phone"
          label={t('Phone (optional)')}
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
          error={faultOf('phone') !== undefined}
          helperText={faultOf('phone') ?? t('For codes by text message, such as +12075550142')}
          slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off' } }}
        />
        {me.merchantId === null && role !== 'owner' && (
          <FormControlLabel
            control={<Switch checked={allMerchants} onChange={(_, next) => setAllMerchants(next)} />}
            label={t('Access to all merchants')}
          />
        )}
      </Box>
    </FormDialog>
  );
}

/** Addresses of the computer itself, which no other computer reaches. */
const OWN_ADDRESS = /^https?:\/\/(localhost|127\.|\[::1\])/;

export interface InviteDialogProps {
  readonly email: string;
  readonly url: string;
  /** True for the first password of a user. */
  readonly isInvitation: boolean;
  readonly onClose: () => void;
}

const INVITATION_DAYS = 7;

/** Link of an invitation or for a new password, to hand over if email is not set up. */
export function InviteDialog({ email, url, isInvitation, onClose }: InviteDialogProps) {
  const channels = useQuery({ ...messageChannelsQuery, enabled: useMay()('settings:read') });
  const isEmailed = channels.data?.some(({ channel, isSetUp }) => channel === 'email' && isSetUp) ?? false;
  const lastDay = addDays(useToday(), INVITATION_DAYS);
  return (
    <Dialog
      title={isInvitation ? t('Invitation for {{email}}', { email }) : t('Password link for {{email}}', { email })}
      isOpen
      onClose={onClose}
      actions={
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          {t('Done')}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="info">
          {isEmailed ? t('Paydesk emails this link to the user.') : t('Give this link to the user.')}{' '}
          {isInvitation ? t('It works once, until {{day}}.', { day: dayText(lastDay) }) : t('It works once, within 1 hour.')}
        </Alert>
        {OWN_ADDRESS.test(url) && <LocalOnlyNote />}
        <CopyText text={url} label={t('Link')} />
      </Box>
    </Dialog>
  );
}
