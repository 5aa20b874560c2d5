import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { AuditEntry } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { actorText, CopyText, exactTime, FactList, useHeadingFocus } from '#renderer/kit/ui';
import { actionLabel } from '#renderer/session/audit-labels';
import { useMerchant } from '#renderer/session/user';
import { ChangeTable } from './change-table.tsx';
import { changesOf } from './field-changes.ts';
import type { LogFilter } from './queries.ts';
import { screenOf } from './resource-screens.ts';

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
      <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ paddingInlineEnd: 10, overflowWrap: 'anywhere' }}>
        {actionLabel(entry.action)}
      </Typography>
      <FactList
        facts={[
          [t('Time'), exactTime(entry.at, timezone)],
          [t('User'), actorText(entry.actor)],
          [t('Action'), <CopyText key="action" text={entry.action} label={t('Action')} />],
          [
            t('Object'),
            screen ? (
              <Link key="object" component={RouterLink} to={screen} className="mono">
                {entry.resource}
              </Link>
            ) : (
              <CopyText key="object" text={entry.resource} label={t('Object')} />
            ),
          ],
          ['IP', entry.ip],
          [t('Request ID'), <CopyText key="request" text={entry.requestId} label={t('Request ID')} />],
        ]}
      />
      {changes.length > 0 ? (
        <ChangeTable changes={changes} />
      ) : (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('This entry has no field changes.')}</Box>
      )}
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        <Button size="small" onClick={() => onFilter({ resource: entry.resource })}>
          {t('Show all for this object')}
        </Button>
        <Button size="small" onClick={() => onFilter({ actor: entry.actor })}>
          {t('Show all by {{user}}', { user: actorText(entry.actor) })}
        </Button>
        <Button size="small" onClick={() => onFilter({ requestId: entry.requestId })}>
          {t('Show all of this request')}
        </Button>
      </Box>
      <FactList
        facts={[
          [t('Entry ID'), <CopyText key="id" text={entry.id} label={t('Entry ID')} />],
          [t('Hash'), <CopyText key="hash" text={entry.hash} label={t('Hash')} />],
          [
            t('Previous hash'),
            entry.previousHash ? <CopyText key="before" text={entry.previousHash} label={t('Previous hash')} /> : t('None (first entry)'),
          ],
        ]}
      />
    </Box>
  );
}
