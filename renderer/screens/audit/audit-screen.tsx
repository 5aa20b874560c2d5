import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { ApiFailure } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions } from '#renderer/kit/record';
import { FailureNote, FormDialog, fullTime, MutedText, QueryContent, Screen, useSubmit } from '#renderer/kit/ui';
import { ExportCsvButton } from '#renderer/session/download';
import { useMay, useMerchant } from '#renderer/session/user';
import { LogTab } from './log-tab.tsx';
import { type AnchorSettings, anchorsQuery, changeAnchors, logQuery, verifyChain } from './queries.ts';
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

type Verdict = Awaited<ReturnType<typeof verifyChain>>;

/** Result of verifying the chain; empty before it ran. */
function ChainResult({ verdict, failure }: { verdict: Verdict | undefined; failure: ApiFailure | null }) {
  if (failure) return <FailureNote failure={failure} />;
  if (!verdict) return null;
  const { valid, lastEntry } = verdict;
  return (
    <Alert severity={valid ? 'success' : 'error'}>
      {verdictText(verdict)}
      {valid && lastEntry && (
        <Box sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {t('Last entry, to be noted outside of Paydesk as a proof:')}{' '}
          <span className="mono">{`${lastEntry.position}:${lastEntry.hash}`}</span>
        </Box>
      )}
    </Alert>
  );
}

function verdictText({ valid, entries, archivedEntries, firstBadId, reason }: Verdict): string {
  if (valid) {
    const intact = t('The log is intact: {{count, number}} entries, none changed, removed or reordered.', {
      count: entries - archivedEntries,
    });
    if (archivedEntries === 0) return intact;
    return `${intact} ${t('{{count, number}} older entries are in archives, which an owner checks under System, Backup.', { count: archivedEntries })}`;
  }
  const values = { count: entries, reason: reason ? serviceText(reason) : t('the hashes do not match') };
  const broken = firstBadId
    ? t('The chain of {{count, number}} entries is broken at entry {{entry}}: {{reason}}.', { ...values, entry: firstBadId })
    : t('The chain of {{count, number}} entries is broken: {{reason}}.', values);
  return `${broken} ${t('The log was changed outside of Paydesk.')}`;
}

/** Address that receives the last entry of the log every day. */
function AnchorDialog({ onClose }: { onClose: () => void }) {
  const anchors = useQuery(anchorsQuery);
  return <QueryContent query={anchors}>{(settings) => <AnchorForm settings={settings} onClose={onClose} />}</QueryContent>;
}

function AnchorForm({ settings, onClose }: { settings: AnchorSettings; onClose: () => void }) {
  const { timezone } = useMerchant();
  const [email, setEmail] = useState(settings.email ?? '');
  const saving = useSubmit({ send: () => changeAnchors(email.trim() || null), announcement: t('Address saved.'), onClose });
  const refusal = saving.failure?.field === 'email' ? saving.failure.message : undefined;
  return (
    <FormDialog {...saving} failure={refusal === undefined ? saving.failure : null} title={t('Daily email')} submitLabel={t('Save')}>
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <MutedText>
          {t(
            'Paydesk emails the number and the hash of the last entry every day. With them, anyone can later prove that nothing before was changed. Choose a mailbox that the people who run Paydesk can’t change.',
          )}
        </MutedText>
        <TextField
          id="anchors-email"
          label={t('Email')}
          type="email"
          autoFocus
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={refusal !== undefined}
          helperText={refusal ?? t('Leave empty to send no emails.')}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 254 } }}
        />
        {settings.lastSentAt && <MutedText>{t('Last sent on {{time}}.', { time: fullTime(settings.lastSentAt, timezone) })}</MutedText>}
      </Box>
    </FormDialog>
  );
}
