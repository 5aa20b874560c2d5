import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { Section, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { messageTitle } from './message-title.ts';
import { messagesAboutQuery } from './requests.ts';

/** List of the messages about a record; empty if there is none. */
export function MessageList({ resourceId }: { resourceId: string }) {
  const may = useMay();
  const { timezone } = useMerchant();
  const { data } = useQuery({ ...messagesAboutQuery(resourceId), enabled: may('notifications:read') });
  if (!data?.length) return null;
  return (
    <Section title={t('Messages')}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.map(({ messageId, kind, to, status, createdAt }) => (
          <Box
            component="li"
            key={messageId}
            sx={(theme) => ({
              display: 'grid',
              gridTemplateColumns: 'auto minmax(0, 1fr) auto',
              gap: 3,
              alignItems: 'center',
              py: 2,
              fontSize: 13,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <StatusChip state={status} />
            <Link component={RouterLink} to={`/messages/${messageId}`}>
              {messageTitle({ kind, to })}
            </Link>
            <TimeText at={createdAt} timeZone={timezone} />
          </Box>
        ))}
      </Box>
    </Section>
  );
}
