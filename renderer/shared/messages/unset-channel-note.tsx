import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { type MessageChannel, messageChannelsQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useMay, useMe } from '#renderer/session/user';

const TEXTS = {
  email: { waits: t('Email isn’t set up, so emails wait in the outbox.'), action: t('Set up email') },
  sms: { waits: t('Text messages aren’t set up, so they wait in the outbox.'), action: t('Set up text messages') },
} as const;

/** Warns about channels that are not set up, with links to their settings. Empty if all are, or if the person cannot see their settings. */
export function UnsetChannelNote({ channels }: { channels: readonly MessageChannel['channel'][] }) {
  const may = useMay();
  const states = useQuery({ ...messageChannelsQuery, enabled: may('settings:read') });
  const { user } = useMe();
  const canSetUp = may('settings:write') && user.merchantId === null;
  return states.data
    ?.filter(({ channel, isSetUp }) => !isSetUp && channels.includes(channel))
    .map(({ channel }) => (
      <Alert key={channel} severity="warning">
        {TEXTS[channel].waits}{' '}
        {canSetUp && (
          <Link component={RouterLink} to={`/settings/channels?channel=${channel}`} underline="always">
            {TEXTS[channel].action}
          </Link>
        )}
      </Alert>
    ));
}
