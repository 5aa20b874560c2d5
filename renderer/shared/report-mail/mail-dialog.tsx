import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, Dialog, FailureNote, focusField } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

interface MailDialogProps {
  readonly title: string;
  /** Content of the report. */
  readonly content: string;
  readonly send: (email: string) => Promise<{ messageId: string }>;
  readonly onClose: () => void;
}

/** Sends a report to an address. */
export function MailDialog({ title, content, send, onClose }: MailDialogProps) {
  const { user } = useMe();
  const canSeeMessages = useMay()('notifications:read');
  const [email, setEmail] = useState(user.email);
  const [isChecked, setChecked] = useState(false);
  const sending = useMutation<{ messageId: string }, ApiFailure>({
    mutationFn: () => send(email.trim()),
    onSuccess: () => announce(t('On its way to {{email}}.', { email: email.trim() })),
  });
  const isInvalid = !EMAIL.test(email.trim());
  const refused = sending.error?.field === 'email' ? sending.error.message : undefined;
  const problem = (isChecked && isInvalid ? t('Enter a valid email address.') : undefined) ?? refused;
  const submit = () => {
    if (sending.isPending) return;
    if (sending.data) return onClose();
    setChecked(true);
    if (isInvalid) focusField('report-email');
    else sending.mutate();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      maxWidth="xs"
      actions={
        <>
          {!sending.data && (
            <Button variant="text" onClick={onClose}>
              {t('Cancel')}
            </Button>
          )}
          <Button type="submit" variant="contained" color="primary" loading={sending.isPending}>
            {sending.data ? t('Done') : t('Send report')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{content}</Box>
        <TextField
          id="report-email"
          label={t('Email')}
          autoFocus
          value={email}
          onChange={({ target }) => {
            setEmail(target.value);
            setChecked(false);
            sending.reset();
          }}
          error={problem !== undefined}
          helperText={problem}
          slotProps={{ htmlInput: { inputMode: 'email', autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
        />
        {sending.data && (
          <Alert severity="success">
            {t('On its way to {{email}}.', { email: email.trim() })}{' '}
            {canSeeMessages && (
              <Link component={RouterLink} to={`/messages/${sending.data.messageId}`}>
                {t('Open the message')}
              </Link>
            )}
          </Alert>
        )}
        {sending.error && refused === undefined && <FailureNote failure={sending.error} />}
      </Box>
    </Dialog>
  );
}
