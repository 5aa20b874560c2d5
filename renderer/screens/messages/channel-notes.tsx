import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type MessageChannel, messageChannelsQuery } from '#renderer/client';
import { useMay, useMe } from '#renderer/session';
import type { OutboxFilter } from './queries.ts';

const TEXTS = {
  email: { many: 'Emails', setUp: 'email is set up', action: 'Set up email' },
  sms: { many: 'Text messages', setUp: 'text messages are set up', action: 'Set up text messages' },
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
  const { many, setUp, action } = TEXTS[channel];
  const settings = (label: string) => (
    <Button size="small" color="inherit" component={Link} to={`/settings/channels?channel=${channel}`}>
      {label}
    </Button>
  );
  if (!isSetUp) {
    // The text message channel matters only after the first text message.
    if (channel === 'sms' && waiting === 0) return null;
    return (
      <Note tone="info" action={canSetUp && settings(action)}>
        {many} wait here until {setUp}.
      </Note>
    );
  }
  if (lastError !== null) {
    return (
      <Note tone="error" action={canSetUp && settings('Check settings')}>
        {many} can’t be sent: {lastError}
      </Note>
    );
  }
  if (waiting === 0) return null;
  return (
    <Note
      tone="info"
      action={
        <Button size="small" color="inherit" onClick={() => onFilter({ channel, status: 'waiting' })}>
          Show {waiting === 1 ? 'message' : 'messages'}
        </Button>
      }
    >
      {waiting === 1 ? '1 message was' : `${waiting} messages were`} written before{' '}
      {setUp.replace(' is ', ' was ').replace(' are ', ' were ')}. They aren’t sent automatically: resend those that are still needed.
    </Note>
  );
}

function Note({ tone, action, children }: { tone: 'info' | 'error'; action: ReactNode; children: ReactNode }) {
  return (
    <Alert severity={tone} action={action} sx={{ py: 0.5, '& .MuiAlert-action': { pt: 0.5, alignItems: 'center' } }}>
      <Box sx={{ overflowWrap: 'anywhere' }}>{children}</Box>
    </Alert>
  );
}
