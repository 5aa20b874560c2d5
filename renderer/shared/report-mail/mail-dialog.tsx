import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { Dialog, FailureNote, focusField, useSubmit } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { SendingNote, UnsetChannelNote } from '#renderer/shared/messages';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

interface MailDialogProps {
  readonly title: string;
  /** Content of the report. */
  readonly content: string;
  /** The request, whose Idempotency-Key is repeated after a lost response. */
  readonly send: (email: string, key: string) => Promise<{ messageId: string }>;
  readonly onClose: () => void;
}

/** Sends a report to an address. */
export function MailDialog({ title, content, send, onClose }: MailDialogProps) {
  const { user } = useMe();
  const canSeeMessages = useMay()('notifications:read');
  const [email, setEmail] = useState(user.email);
  const [isChecked, setChecked] = useState(false);
  const sending = useSubmit<{ messageId: string }>({ send: (_, key) => send(email.trim(), key) });
  const isInvalid = !EMAIL.test(email.trim());
  const refused = sending.failure?.field === 'email' ? sending.failure.message : undefined;
  const problem = (isChecked && isInvalid ? t('Enter a valid email address.') : undefined) ?? refused;
  const submit = () => {
    if (sending.result) return onClose();
    setChecked(true);
    if (isInvalid) focusField('report-email');
    else sending.onSubmit();
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
          {!sending.result && (
            <Button variant="text" onClick={onClose}>
              {t('Cancel')}
            </Button>
          )}
          <Button type="submit" variant="contained" color="primary" loading={sending.isBusy}>
            {sending.result ? t('Done') : t('Send report')}
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
        {!sending.result && <UnsetChannelNote channels={['email']} />}
        {sending.result && !canSeeMessages && <Alert severity="info">{t('The report is in the outbox.')}</Alert>}
        {sending.result && canSeeMessages && (
          <>
            <SendingNote messageId={sending.result.messageId} />
            <Link component={RouterLink} to={`/messages/${sending.result.messageId}`}>
              {t('Open the message')}
            </Link>
          </>
        )}
        {sending.failure && refused === undefined && <FailureNote failure={sending.failure} />}
      </Box>
    </Dialog>
  );
}
