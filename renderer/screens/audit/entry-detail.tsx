import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { AuditEntry } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { CopyText, exactTime, FactList, useHeadingFocus } from '#renderer/ui';
import { ChangeTable } from './change-table.tsx';
import { changesOf } from './field-changes.ts';
import type { LogFilter } from './queries.ts';
import { actionText, screenOf } from './texts.ts';

interface EntryDetailProps {
  readonly entry: AuditEntry;
  readonly takesFocus: boolean;
  /** Filters by a value of this entry. */
  readonly onFilter: (filter: LogFilter) => void;
}

/** One entry: the action, and each field before and after. */
export function EntryDetail({ entry, takesFocus, onFilter }: EntryDetailProps) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const screen = screenOf(entry.resource);
  const changes = changesOf(entry);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ pr: 10, overflowWrap: 'anywhere' }}>
        {actionText(entry.action)}
      </Typography>
      <FactList
        facts={[
          ['Time', exactTime(entry.at, timezone)],
          ['User', entry.actor],
          [
            'Object',
            screen ? (
              <Link key="object" component={RouterLink} to={screen} className="mono">
                {entry.resource}
              </Link>
            ) : (
              <CopyText key="object" text={entry.resource} label="Object" />
            ),
          ],
          ['IP', entry.ip],
          ['Request ID', <CopyText key="request" text={entry.requestId} label="Request ID" />],
        ]}
      />
      {changes.length > 0 ? (
        <ChangeTable changes={changes} />
      ) : (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>This entry has no field changes.</Box>
      )}
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        <Button size="small" onClick={() => onFilter({ resource: entry.resource })}>
          Show all for this object
        </Button>
        <Button size="small" onClick={() => onFilter({ actor: entry.actor })}>
          Show all by {entry.actor}
        </Button>
        <Button size="small" onClick={() => onFilter({ requestId: entry.requestId })}>
          Show all of this request
        </Button>
      </Box>
      <FactList
        facts={[
          ['Entry ID', <CopyText key="id" text={entry.id} label="Entry ID" />],
          ['Hash', <CopyText key="hash" text={entry.hash} label="Hash" />],
          [
            'Previous hash',
            entry.previousHash ? <CopyText key="before" text={entry.previousHash} label="Previous hash" /> : 'None (first entry)',
          ],
        ]}
      />
    </Box>
  );
}
