import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouteLink } from 'react-router';
import type { AuditEntry } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { CopyText, exactTime, FactList } from '#renderer/ui';
import type { LogFilter } from './queries.ts';
import { actionText, changesOf, screenOf } from './words.ts';

/** One entry: what was done, with each field as it was and as it is. */
export function EntryDetail({ entry, onFilter }: { entry: AuditEntry; onFilter: (filter: LogFilter) => void }) {
  const { timezone } = useMerchant();
  const screen = screenOf(entry.resource);
  const changes = changesOf(entry);
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Typography variant="h2" sx={{ pr: 8 }}>
        {actionText(entry.action)}
      </Typography>
      <FactList
        facts={[
          ['Time', exactTime(entry.at, timezone)],
          ['Who', entry.actor],
          [
            'To',
            screen ? (
              <Link key="thing" component={RouteLink} to={screen}>
                {entry.resource}
              </Link>
            ) : (
              entry.resource
            ),
          ],
          ['From', entry.ip],
          ['Request id', <CopyText key="request" text={entry.requestId} what="Request id" />],
        ]}
      />
      {changes.length > 0 && (
        <Box
          component="table"
          sx={{
            borderCollapse: 'collapse',
            fontSize: 13,
            width: '100%',
            tableLayout: 'fixed',
            '& td, & th': {
              textAlign: 'left',
              verticalAlign: 'top',
              p: 1.5,
              pl: 0,
              overflowWrap: 'anywhere',
              borderBottom: 1,
              borderColor: 'divider',
            },
          }}
        >
          <thead>
            <tr>
              {['Field', 'Before', 'After'].map((head) => (
                <Box key={head} component="th" scope="col" sx={{ fontSize: 12, fontWeight: 600, color: 'text.secondary' }}>
                  {head}
                </Box>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{before === undefined ? '–' : <Box component="del">{before}</Box>}</td>
                <td>
                  {after === undefined ? (
                    '–'
                  ) : (
                    <Box component="ins" sx={{ textDecoration: 'none', fontWeight: 600 }}>
                      {after}
                    </Box>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Box>
      )}
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        <Button variant="outlined" onClick={() => onFilter({ resource: entry.resource })}>
          All of this thing
        </Button>
        <Button variant="outlined" onClick={() => onFilter({ actor: entry.actor })}>
          All by {entry.actor}
        </Button>
      </Box>
      <FactList
        facts={[
          [
            'Hash',
            <span key="hash" className="mono">
              {entry.hash}
            </span>,
          ],
          [
            'Hash before',
            <span key="before" className="mono">
              {entry.previousHash || 'The first entry'}
            </span>,
          ],
        ]}
      />
    </Box>
  );
}
