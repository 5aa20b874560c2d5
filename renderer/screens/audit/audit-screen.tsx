import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { SavedViews } from '#renderer/kit/list-settings';
import { Screen } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { AnchorDialog } from './anchor-dialog.tsx';
import { ChainResult } from './chain-result.tsx';
import { ExportButton } from './export-button.tsx';
import { LogTab } from './log-tab.tsx';
import { verifyChain } from './queries.ts';
import { SessionsTab } from './sessions-tab.tsx';

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
          <>
            <SavedViews />
            <ExportButton />
            {may('owner:addresses') && <Button onClick={() => setEmailOpen(true)}>{t('Daily email')}</Button>}
            <Button variant="contained" color="primary" loading={check.isPending} onClick={() => check.mutate()}>
              {t('Verify chain')}
            </Button>
          </>
        )
      }
    >
      <Tabs value={isSessions ? 'sessions' : 'log'} aria-label={t('Audit log')} sx={{ mb: 4, flexShrink: 0 }}>
        <Tab value="log" label={t('Log')} component={Link} to="/audit" />
        {canSeeSessions && <Tab value="sessions" label={t('Sessions')} component={Link} to="/audit/sessions" />}
      </Tabs>
      {isEmailOpen && <AnchorDialog onClose={() => setEmailOpen(false)} />}
      {isSessions ? <SessionsTab /> : <LogTab verdict={<ChainResult verdict={check.data} failure={check.error} />} />}
    </Screen>
  );
}
