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
import { actionText, screenOf } from './words.ts';

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
          ['Who', entry.actor],
          [
            'Thing',
            screen ? (
              <Link key="thing" component={RouterLink} to={screen} className="mono">
                {entry.resource}
              </Link>
            ) : (
              <CopyText key="thing" text={entry.resource} what="Thing" />
            ),
          ],
          ['IP', entry.ip],
          ['Request id', <CopyText key="request" text={entry.requestId} what="Request id" />],
        ]}
      />
      {changes.length > 0 ? (
        <ChangeTable changes={changes} />
      ) : (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>The entry tells of no fields.</Box>
      )}
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        <Button size="small" onClick={() => onFilter({ resource: entry.resource })}>
          All of this thing
        </Button>
        <Button size="small" onClick={() => onFilter({ actor: entry.actor })}>
          All by {entry.actor}
        </Button>
        <Button size="small" onClick={() => onFilter({ requestId: entry.requestId })}>
          All of this request
        </Button>
      </Box>
      <FactList
        facts={[
          ['Entry', <CopyText key="id" text={entry.id} what="Entry id" />],
          ['Hash', <CopyText key="hash" text={entry.hash} what="Hash" />],
          [
            'Hash before',
            entry.previousHash ? <CopyText key="before" text={entry.previousHash} what="Hash before" /> : 'It is the first entry',
          ],
        ]}
      />
    </Box>
  );
}
