import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { CopyText, Dialog, FailureNote, FormDialog } from '#renderer/kit/ui';
import { roleName } from '#renderer/session/permissions';
import { useMe } from '#renderer/session/user';
import { canManage } from './can-manage.ts';
import { createUser, refreshUsers, rolesQuery } from './queries.ts';

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
  const create = useMutation({
    mutationFn: () => createUser(merchantId, { email: email.trim(), name, role, allMerchants, phone: phone.trim() }),
    onSuccess: (created) => {
      refreshUsers();
      onDone(created.email, created.inviteUrl);
    },
  });
  const faultOf = (field: string) => (create.error?.field === field ? create.error.message : undefined);
  const isAtField = ['email', 'phone', 'role'].includes(create.error?.field ?? '');
  const known = roles.data?.items.filter((one) => canManage(me, one)) ?? [{ id: 'cashier', name: 'cashier' }];
  return (
    <FormDialog
      title={t('New user')}
      submitLabel={t('Invite user')}
      isBusy={create.isPending}
      onSubmit={() => !create.isPending && create.mutate()}
      onClose={onClose}
    >
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
        <TextField
          id="user-role"
          select
          label={t('Role')}
          value={role}
          onChange={(event) => setRole(event.target.value)}
          error={faultOf('role') !== undefined}
          helperText={faultOf('role')}
        >
          {known.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {roleName(name)}
            </MenuItem>
          ))}
        </TextField>
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
        {create.error && !isAtField && <FailureNote failure={create.error} />}
      </Box>
    </FormDialog>
  );
}

/** Link of an invitation, to hand over if email is not set up. */
export function InviteDialog({ email, url, onClose }: { email: string; url: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('Password link for {{email}}', { email })}
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
          {t(
            'If email isn’t set up yet, give this link to the user. It works once. Invitations expire after 7 days, password links after 1 hour.',
          )}
        </Alert>
        <CopyText text={url} label={t('Link')} />
      </Box>
    </Dialog>
  );
}
