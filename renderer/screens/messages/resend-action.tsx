import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { type Message, messageChannelsQuery } from '#renderer/client';
import { useMay, useMe } from '#renderer/session';
import { announce, KeyHint, PanelForm, showToast, useShortcuts } from '#renderer/ui';
import { refreshMessages, resend } from './queries.ts';

/** Longest address that there is. */
const TO_MAX = 254;

interface Barred {
  readonly text: string;
  /** True where setting the channel up would let it go. */
  readonly needsSetUp?: boolean;
}

/** Sends a message again, to a corrected address if need be. What bars it is said in its place. */
export function ResendAction({ message, onClosed }: { message: Message; onClosed: () => void }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const channels = useQuery({ ...messageChannelsQuery, enabled: may('settings:read') });
  const { user } = useMe();
  const canWrite = may('notifications:write');
  const canSetUp = may('settings:write') && user.merchantId === null;
  const isSetUp = channels.data?.find(({ channel }) => channel === message.channel)?.isSetUp;
  const barred = barredBecause(message, isSetUp);
  const ask = () => {
    if (barred) showToast(barred.text);
    else setOpen(true);
  };
  useShortcuts('This message', canWrite ? [{ keys: 'R', label: 'Resend', run: ask }] : []);
  if (!canWrite) return null;
  const close = () => {
    setOpen(false);
    onClosed();
  };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center' }}>
        <Button
          color="primary"
          variant={message.status === 'failed' || message.status === 'waiting' ? 'contained' : 'outlined'}
          aria-keyshortcuts="R"
          aria-disabled={barred !== undefined || undefined}
          aria-describedby={barred ? 'resend-barred' : undefined}
          aria-expanded={barred ? undefined : isOpen}
          endIcon={<KeyHint keys="R" />}
          onClick={() => !barred && setOpen(true)}
          sx={barred ? BARRED : undefined}
        >
          Resend
        </Button>
        {barred && (
          <Box id="resend-barred" sx={{ fontSize: 13, color: 'text.secondary', flex: 1, minWidth: 200 }}>
            {barred.text}{' '}
            {barred.needsSetUp && canSetUp && (
              <Link component={RouterLink} to={`/settings/channels?channel=${message.channel}`} underline="always">
                Set it up
              </Link>
            )}
          </Box>
        )}
      </Box>
      {isOpen && !barred && <ResendPanel message={message} onClose={close} />}
    </>
  );
}

const BARRED = {
  '&&&': {
    color: 'text.disabled',
    backgroundColor: 'transparent',
    border: 1,
    borderColor: 'divider',
    borderStyle: 'dashed',
    cursor: 'default',
  },
} as const;

function barredBecause({ isSecret, channel, status, lastError }: Message, isSetUp: boolean | undefined): Barred | undefined {
  if (isSecret) return { text: 'A code or a link of its own is asked for anew where it is needed, and not sent twice.' };
  if (isSetUp === false) {
    return { text: channel === 'email' ? 'Mail is not set up.' : 'No provider of texts is set up.', needsSetUp: true };
  }
  if (status === 'queued' && lastError === null) return { text: 'It is on its way already.' };
  return undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  not_set_up: 'It cannot go out: its channel is not set up. Ask an administrator.',
  sending: 'It is being sent right now.',
  secret: 'A code or a link of its own is not sent twice.',
  expired: 'What it leads to has expired. Send a new link.',
};

function ResendPanel({ message: { messageId, to: first, channel, status }, onClose }: { message: Message; onClose: () => void }) {
  const [to, setTo] = useState(first);
  const typed = to.trim();
  const again = useMutation({
    mutationFn: () => resend(messageId, typed === first ? undefined : typed),
    onSuccess: ({ to: recipient }) => {
      announce(`It goes to ${recipient}.`);
      onClose();
    },
    onSettled: () => refreshMessages(),
  });
  const { error } = again;
  const isAtField = error !== null && (error.field === 'to' || error.code === 'INVALID_EMAIL' || error.code === 'INVALID_PHONE');
  const reason = REASONS[String(error?.details.reason)];
  const fault = isAtField ? error.message : reason;
  return (
    <PanelForm
      title="Resend"
      explanation={status === 'sent' ? 'It was sent before: whoever got it gets it twice.' : 'It goes out at once, with the text below.'}
      submitLabel={typed === '' ? 'Resend' : `Send to ${typed}`}
      isBusy={again.isPending}
      failure={fault === undefined ? error : null}
      onSubmit={() => typed !== '' && again.mutate()}
      onClose={onClose}
    >
      <TextField
        id="resend-to"
        label={channel === 'email' ? 'E-mail' : 'Phone, such as +12075550142'}
        type={channel === 'email' ? 'email' : 'tel'}
        value={to}
        onChange={(event) => setTo(event.target.value)}
        error={fault !== undefined}
        helperText={fault}
        autoFocus
        slotProps={{ htmlInput: { maxLength: TO_MAX, autoComplete: 'off', spellCheck: false } }}
      />
    </PanelForm>
  );
}
