import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { type MessageChannel, messageChannelsQuery } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { ConfirmDialog, useSubmit } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { type OutboxFilter, refreshMessages, resendWaiting } from './queries.ts';

const TEXTS = {
  email: {
    waits: t('Emails wait here until email is set up.'),
    failure: (error: string) => t('Emails can’t be sent: {{error}}', { error }),
    outdated: (count: number) =>
      t(
        '{{count, number}} messages were written before email was set up. They aren’t sent automatically: resend those that are still needed.',
        {
          count,
        },
      ),
    action: t('Set up email'),
  },
  sms: {
    waits: t('Text messages wait here until text messages are set up.'),
    failure: (error: string) => t('Text messages can’t be sent: {{error}}', { error }),
    outdated: (count: number) =>
      t(
        '{{count, number}} messages were written before text messages were set up. They aren’t sent automatically: resend those that are still needed.',
        { count },
      ),
    action: t('Set up text messages'),
  },
} as const;

/** Problems that prevent messages from being sent, with links to their settings. Empty if there is none. */
export function ChannelNotes({ onFilter }: { onFilter: (filter: OutboxFilter) => void }) {
  const may = useMay();
  const channels = useQuery({ ...messageChannelsQuery, enabled: may('settings:read') });
  const { user } = useMe();
  const canSetUp = may('settings:write') && user.merchantId === null;
  return channels.data?.map((channel) => <ChannelNote key={channel.channel} channel={channel} canSetUp={canSetUp} onFilter={onFilter} />);
}

interface NoteProps {
  readonly channel: MessageChannel;
  readonly canSetUp: boolean;
  readonly onFilter: (filter: OutboxFilter) => void;
}

function ChannelNote({ channel: { channel, isSetUp, lastError, waiting }, canSetUp, onFilter }: NoteProps) {
  const texts = TEXTS[channel];
  const canWrite = useMay()('notifications:write');
  const settings = (label: string) => (
    <Button size="small" color="inherit" component={Link} to={`/settings/channels?channel=${channel}`}>
      {label}
    </Button>
  );
  if (!isSetUp) {
    // The text message channel matters only after the first text message.
    if (channel === 'sms' && waiting === 0) return null;
    return (
      <Note tone="info" action={canSetUp && settings(texts.action)}>
        {texts.waits}
      </Note>
    );
  }
  if (lastError !== null) {
    return (
      <Note tone="error" action={canSetUp && settings(t('Check settings'))}>
        {texts.failure(serviceText(lastError))}
      </Note>
    );
  }
  if (waiting === 0) return null;
  return (
    <Note
      tone="info"
      action={
        <>
          <Button size="small" color="inherit" onClick={() => onFilter({ channel, status: 'waiting' })}>
            {waiting === 1 ? t('Show message') : t('Show messages')}
          </Button>
          {canWrite && <SendWaiting channel={channel} waiting={waiting} />}
        </>
      }
    >
      {texts.outdated(waiting)}
    </Note>
  );
}

/** Button that sends the messages that waited for their channel, after a dialog with their number. */
function SendWaiting({ channel, waiting }: { channel: MessageChannel['channel']; waiting: number }) {
  const [isAsked, setAsked] = useState(false);
  const sending = useSubmit({
    send: () => resendWaiting(channel),
    refresh: refreshMessages,
    toast: ({ resent }) => t('Sending {{count, number}} messages', { count: resent }),
    onClose: () => setAsked(false),
  });
  return (
    <>
      <Button size="small" color="inherit" onClick={() => setAsked(true)}>
        {t('Send all…')}
      </Button>
      <ConfirmDialog
        {...sending}
        title={t('Send {{count, number}} messages?', { count: waiting })}
        isOpen={isAsked}
        submitLabel={t('Send all')}
      >
        {t(
          'Their recipients get them now. Codes, password links and expired links stay unsent. To leave out others, send messages one by one.',
        )}
      </ConfirmDialog>
    </>
  );
}

function Note({ tone, action, children }: { tone: 'info' | 'error'; action: ReactNode; children: ReactNode }) {
  return (
    <Alert severity={tone} action={action} sx={{ py: 0.5, '& .MuiAlert-action': { pt: 0.5, alignItems: 'center' } }}>
      <Box sx={{ overflowWrap: 'anywhere' }}>{children}</Box>
    </Alert>
  );
}
