import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { MessageChannel } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ConfirmDialog, FailureNote, useSubmit } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { removeChannel, sendTest } from './channels.ts';
import { refreshSettings } from './sections.ts';

/** Maximum length of an email address. */
const TO_MAX = 254;

/** Distance that keeps scrolled elements clear of the toasts. */
const ABOVE_TOASTS_PX = 96;

const TEXTS = {
  email: {
    remove: t('Remove the mail server'),
    confirmRemoval: t('Remove the mail server?'),
    removed: t('The mail server was removed.'),
    consequences: t('Emails, including those being sent, wait in the outbox again. The saved password is deleted.'),
    to: t('Send test email to'),
    taken: (address: string) => t('The mail server accepted it. Check the inbox of {{address}}.', { address }),
  },
  sms: {
    remove: t('Remove the text message provider'),
    confirmRemoval: t('Remove the text message provider?'),
    removed: t('The text message provider was removed.'),
    consequences: t('Text messages, including those being sent, wait in the outbox again. The saved password is deleted.'),
    to: t('Send test text to'),
    taken: (phone: string) => t('The provider accepted it. Check {{phone}}.', { phone }),
  },
} as const;

/** Tests and removes a channel. */
export function ChannelActions({ state: { channel } }: { state: MessageChannel }) {
  const may = useMay();
  const { user } = useMe();
  const canTest = may('settings:write') && user.merchantId === null;
  const texts = TEXTS[channel];
  const [isRemoving, setRemoving] = useState(false);
  const remove = useSubmit({
    send: () => removeChannel(channel),
    refresh: refreshSettings,
    toast: texts.removed,
    onClose: () => setRemoving(false),
  });
  if (!canTest) return null;
  return (
    <Box sx={(theme) => ({ display: 'grid', gap: 5, pt: 5, pb: 6, borderTop: `1px solid ${theme.vars.palette.divider}` })}>
      <SendTest channel={channel} />
      {may('owner:channels') && (
        <Box>
          <Button variant="outlined" color="error" onClick={() => setRemoving(true)}>
            {texts.remove}
          </Button>
        </Box>
      )}
      <ConfirmDialog {...remove} title={texts.confirmRemoval} isOpen={isRemoving} submitLabel={texts.remove} isDangerous>
        {texts.consequences}
      </ConfirmDialog>
    </Box>
  );
}

interface Verdict {
  readonly tone: 'success' | 'error';
  readonly text: string;
}

/** Sends a real message with the saved settings and shows the result. */
function SendTest({ channel }: { channel: MessageChannel['channel'] }) {
  const { user } = useMe();
  const [to, setTo] = useState(channel === 'email' ? user.email : '');
  const typed = to.trim();
  const test = useSubmit({
    send: async (address: string): Promise<Verdict> => {
      const { ok, error = t('The server gave no reason.') } = await sendTest(channel, address);
      return ok ? { tone: 'success', text: TEXTS[channel].taken(address) } : { tone: 'error', text: error };
    },
    announcement: ({ text }) => text,
    refresh: refreshSettings,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== '') test.onSubmit(typed);
  };
  const { failure: error, result: data } = test;
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (data ?? error) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [data, error]);
  const isFieldError = error !== null && (error.field === 'to' || error.code === 'INVALID_EMAIL' || error.code === 'INVALID_PHONE');
  return (
    <Box component="form" noValidate onSubmit={submit} aria-label={t('Send a test')} sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', gap: 3, flexWrap: 'wrap', alignItems: 'flex-start' }}>
        <TextField
          id={`test-${channel}`}
          label={TEXTS[channel].to}
          type={channel === 'email' ? 'email' : 'tel'}
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={isFieldError}
          helperText={isFieldError ? error.message : channel === 'sms' ? t('Such as +12075550142') : undefined}
          sx={{ flex: 1, minWidth: 220, maxWidth: 372 }}
          slotProps={{ htmlInput: { maxLength: TO_MAX, autoComplete: 'off', spellCheck: false } }}
        />
        <Button type="submit" loading={test.isBusy} disabled={typed === ''} sx={{ mt: '20px', height: 40 }}>
          {t('Send test')}
        </Button>
      </Box>
      <Box ref={answer} sx={{ scrollMarginBottom: ABOVE_TOASTS_PX }}>
        {error && !isFieldError && <FailureNote failure={error} />}
        {data && (
          <Alert severity={data.tone} role="presentation">
            {data.text}
          </Alert>
        )}
      </Box>
    </Box>
  );
}
