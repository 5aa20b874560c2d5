import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions } from '#renderer/kit/record';
import { Screen } from '#renderer/kit/ui';
import { ExportCsvButton } from '#renderer/session/download';
import { useMay } from '#renderer/session/user';
import { AnchorDialog } from './anchor-dialog.tsx';
import { ChainResult } from './chain-result.tsx';
import { LogTab } from './log-tab.tsx';
import { logQuery, verifyChain } from './queries.ts';
import { SessionsTab } from './sessions-tab.tsx';
import { useLogFilter } from './use-log-filter.ts';

/** Audit log with its verification, and sessions. */
export function AuditScreen() {
  const { tab } = useParams();
  const may = useMay();
  const canSeeSessions = may('users:read');
  const [isEmailOpen, setEmailOpen] = useState(false);
  const check = useMutation({ mutationFn: verifyChain });
  const isSessions = tab === 'sessions' && canSeeSessions;
  return (
    <Screen
      title={t('Audit log')}
      fillsHeight
      subtitle={t('Tamper-evident record of changes and sign-ins.')}
      actions={
        !isSessions && (
          <PageActions
            group={t('Audit log')}
            actions={[
              { label: t('Verify chain'), isBusy: check.isPending, run: () => check.mutate() },
              ...(may('owner:addresses') ? [{ label: t('Daily email'), run: () => setEmailOpen(true) }] : []),
            ]}
          >
            <SavedViews />
            <ExportButton />
          </PageActions>
        )
      }
    >
      <TabRow
        label={t('Audit log')}
        tabs={[
          { id: 'log', name: t('Log'), to: '/audit' },
          ...(canSeeSessions ? [{ id: 'sessions', name: t('Sessions'), to: '/audit/sessions' }] : []),
        ]}
        value={isSessions ? 'sessions' : 'log'}
      />
      {isEmailOpen && <AnchorDialog onClose={() => setEmailOpen(false)} />}
      {isSessions ? <SessionsTab /> : <LogTab verdict={<ChainResult verdict={check.data} failure={check.error} />} />}
    </Screen>
  );
}

/** Saves every entry of the filter, not only the page on screen. */
function ExportButton() {
  const { filter, page } = useLogFilter();
  const rows = useQuery(logQuery(filter, page)).data?.total ?? 0;
  return (
    <ExportCsvButton
      area="audit"
      file={{ path: '/api/v1/audit-logs/export', query: filter, name: 'audit-log.csv', rows }}
      exported={(count) => t('{{count, number}} entries exported', { count })}
    />
  );
}
