import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeFailure, type MessageChannel } from '#renderer/client';
import { useMay, useMe } from '#renderer/session';
import { announce, ConfirmDialog, FailureNote, showToast } from '#renderer/ui';
import { removeChannel, sendTest } from './channels.ts';
import { refreshSettings } from './sections.ts';

/** Maximum length of an email address. */
const TO_MAX = 254;

/** Distance that keeps scrolled elements clear of the toasts. */
const ABOVE_TOASTS_PX = 96;

const TEXTS = {
  email: {
    what: 'mail server',
    to: 'Send test email to',
    taken: (to: string) => `The mail server accepted it. Check the inbox of ${to}.`,
    removed: 'Emails, including those being sent, wait in the outbox again.',
  },
  sms: {
    what: 'text message provider',
    to: 'Send test text to',
    taken: (to: string) => `The provider accepted it. Check ${to}.`,
    removed: 'Text messages, including those being sent, wait in the outbox again.',
  },
} as const;

/** Tests and removes a channel. */
export function ChannelActions({ state: { channel } }: { state: MessageChannel }) {
  const may = useMay();
  const { user } = useMe();
  const canTest = may('settings:write') && user.merchantId === null;
  const [isRemoving, setRemoving] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeChannel(channel),
    onSuccess: () => {
      setRemoving(false);
      showToast(`The ${TEXTS[channel].what} was removed.`);
    },
    onSettled: () => refreshSettings(),
  });
  if (!canTest) return null;
  return (
    <Box sx={(theme) => ({ display: 'grid', gap: 5, pt: 5, pb: 6, borderTop: `1px solid ${theme.vars.palette.divider}` })}>
      <SendTest channel={channel} />
      {may('owner:channels') && (
        <Box>
          <Button variant="outlined" color="error" onClick={() => setRemoving(true)}>
            Remove the {TEXTS[channel].what}
          </Button>
        </Box>
      )}
      <ConfirmDialog
        title={`Remove the ${TEXTS[channel].what}?`}
        isOpen={isRemoving}
        confirmLabel={`Remove the ${TEXTS[channel].what}`}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setRemoving(false)}
      >
        {remove.error ? describeFailure(remove.error).problem : `${TEXTS[channel].removed} The saved password is deleted.`}
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
  const test = useMutation({
    mutationFn: async (to: string): Promise<Verdict> => {
      const { ok, error = 'The server gave no reason.' } = await sendTest(channel, to);
      return ok ? { tone: 'success', text: TEXTS[channel].taken(to) } : { tone: 'error', text: error };
    },
    onSuccess: ({ text }) => announce(text),
    onSettled: () => refreshSettings(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== '' && !test.isPending) test.mutate(typed);
  };
  const { error, data } = test;
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (data ?? error) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [data, error]);
  const isFieldError = error !== null && (error.field === 'to' || error.code === 'INVALID_EMAIL' || error.code === 'INVALID_PHONE');
  return (
    <Box component="form" noValidate onSubmit={submit} aria-label="Send a test" sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', gap: 3, flexWrap: 'wrap', alignItems: 'flex-start' }}>
        <TextField
          id={`test-${channel}`}
          label={TEXTS[channel].to}
          type={channel === 'email' ? 'email' : 'tel'}
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={isFieldError}
          helperText={isFieldError ? error.message : channel === 'sms' ? 'Such as +12075550142' : undefined}
          sx={{ flex: 1, minWidth: 220, maxWidth: 372 }}
          slotProps={{ htmlInput: { maxLength: TO_MAX, autoComplete: 'off', spellCheck: false } }}
        />
        <Button type="submit" loading={test.isPending} disabled={typed === ''} sx={{ mt: '20px', height: 40 }}>
          Send test
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
