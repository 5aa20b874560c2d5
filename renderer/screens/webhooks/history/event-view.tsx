import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useMerchant } from '#renderer/session';
import { CodeBlock, CopyText, copyText, FactList, QueryContent, TimeText, useHeadingFocus } from '#renderer/ui';
import { eventQuery } from './queries.ts';

/** One event with the text that endpoints receive. */
export function EventView({ eventId, takesFocus }: { eventId: string; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const event = useQuery(eventQuery(eventId));
  return (
    <QueryContent query={event}>
      {({ id, type, createdAt, resourceId, body }) => (
        <Box sx={{ display: 'grid', gap: 6 }}>
          <Box component="header" sx={{ pr: 10 }}>
            <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ overflowWrap: 'anywhere' }}>
              {type}
            </Typography>
            <Box sx={{ mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
              <TimeText at={createdAt} timeZone={timezone} />
            </Box>
          </Box>
          <FactList
            facts={[
              [
                'Transaction',
                resourceId.startsWith('txn_') && (
                  <Link key="about" component={RouterLink} to={`/transactions/${resourceId}`} className="mono">
                    {resourceId}
                  </Link>
                ),
              ],
              ['Event', <CopyText key="event" text={id} label="Event ID" />],
            ]}
          />
          <Box component="section">
            <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}>
              <Typography variant="h3">Body</Typography>
              <Button size="small" variant="text" onClick={() => void copyText(body, 'Body')}>
                Copy
              </Button>
            </Box>
            <CodeBlock label="Request body" text={body} />
          </Box>
        </Box>
      )}
    </QueryContent>
  );
}
