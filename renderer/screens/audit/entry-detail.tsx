import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { AuditEntry } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import { actorText, CopyText, exactTime, FactList, useHeadingFocus } from '#renderer/kit/ui';
import { actionLabel } from '#renderer/session/audit-labels';
import { useMerchant } from '#renderer/session/user';
import { ChangeTable } from './change-table.tsx';
import { changesOf } from './field-changes.ts';
import type { LogFilter } from './queries.ts';

/** Screens by the resource paths of the audit log. */
const SCREENS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^transactions\/(txn_\w+)/, (id) => `/transactions/${id}`],
  [/^customers\/(cus_\w+)/, (id) => `/customers/${id}`],
  [/^recurring\/(sub_\w+)/, (id) => `/recurring/${id}`],
  [/^webhooks\/(whe_\w+)/, (id) => `/webhooks/${id}`],
  [/^refund-decline-queue\/(rdq_\w+)/, (id) => `/refund-queue/${id}`],
  [/^merchants\/mer_\w+\/branding/, () => '/settings/branding'],
  [/^merchants\/mer_\w+\/vt-settings/, () => '/settings/terminal'],
  [/^merchants\/mer_\w+\/amount-settings/, () => '/settings/amounts'],
  [/^merchants\/mer_\w+\/fraud-settings/, () => '/settings/fraud'],
  [/^merchants\/mer_\w+\/gateway-routing/, () => '/settings/routing'],
  [/^merchants\/mer_\w+\/gateways/, () => '/settings/gateways'],
  [/^merchants\//, () => '/settings'],
  [/^users/, () => '/users'],
  [/^roles/, () => '/users/roles'],
  [/^api-keys/, () => '/api-keys'],
  [/^user-sessions/, () => '/audit/sessions'],
];

function screenOf(resource: string): string | undefined {
  for (const [pattern, to] of SCREENS) {
    const found = pattern.exec(resource);
    if (found) return to(found[1] ?? '');
  }
  return undefined;
}

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
      <RecordHeader title={actionLabel(entry.action)} headingRef={heading} />
      <FactList
        facts={[
          [t('Time'), exactTime(entry.at, timezone)],
          [t('User'), entry.actor.includes('@') ? [...new Set([actorText(entry.actor), entry.actor])].join(', ') : actorText(entry.actor)],
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
      <RecordActions
        group={t('This entry')}
        actions={[
          { label: t('Show all for this object'), run: () => onFilter({ resource: entry.resource }) },
          { label: t('Show all by {{user}}', { user: actorText(entry.actor) }), run: () => onFilter({ actor: entry.actor }) },
          { label: t('Show all of this request'), run: () => onFilter({ requestId: entry.requestId }) },
        ]}
      />
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
