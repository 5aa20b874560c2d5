import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiFailure, type BackupOverview } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import {
  EmptyState,
  FactList,
  FailureNote,
  fullTime,
  MutedText,
  QueryContent,
  Section,
  showToast,
  TimeText,
  useShortcuts,
  useSubmit,
} from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { sizeText } from '#shared/size-text';
import { ArchiveSection } from './archive/archive-section.tsx';
import { BackupList } from './backup-list.tsx';
import { backupQuery, backupsQuery, beginBackup, checkBackup, refreshBackups, saveExport } from './backup-queries.ts';
import { checkText } from './backup-texts.ts';
import { PausedChargesNote } from './paused-charges-note.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

const FORBIDDEN = 403;

/** Backups of the installation with restore checks, and the export of the account's data. */
export function BackupTab() {
  const may = useMay();
  const overview = useQuery(backupQuery);
  const isForbidden = overview.error instanceof ApiFailure && overview.error.status === FORBIDDEN;
  return (
    <Box sx={{ display: 'grid', gap: 8, maxWidth: 920 }}>
      {isForbidden ? (
        <MutedText>{t('Backups cover the whole installation. Only owners of its first account manage them.')}</MutedText>
      ) : (
        <QueryContent query={overview}>{(data) => <Backups overview={data} />}</QueryContent>
      )}
      {may('owner:export') && <ExportSection />}
    </Box>
  );
}

function Backups({ overview }: { overview: BackupOverview }) {
  const { schedule, last, restored, mayChange } = overview;
  const { timezone } = schedule;
  const list = useQuery(backupsQuery);
  const [isScheduleOpen, setScheduleOpen] = useState(false);
  const begin = useSubmit({ send: beginBackup, refreshFirst: refreshBackups, announcement: t('Backup started.') });
  const check = useSubmit({ send: checkBackup, refreshFirst: refreshBackups, announcement: t('Restore check started.') });
  const isRunning = begin.isBusy || overview.isUnderWay;
  const start = () => {
    if (!isRunning) begin.onSubmit();
  };
  useShortcuts(t('System'), mayChange ? [{ keys: 'B', label: t('Back up now'), run: start }] : []);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      {restored && restored.resumedAt === null && <PausedChargesNote restored={restored} timezone={timezone} mayChange={mayChange} />}
      <Section title={t('Daily backup')}>
        <FactList
          facts={[
            [
              t('Last backup'),
              last ? <LastBackup key="last" at={last.createdAt} timezone={timezone} text={lastBackupText(last)} /> : t('None yet'),
            ],
            [t('Next backup'), schedule.nextAt ? fullTime(schedule.nextAt, timezone) : t('Manual only')],
            [
              t('Folder'),
              <span key="folder" className="mono">
                {schedule.folder}
              </span>,
            ],
            [t('Backups kept'), t('{{count, number}} newest', { count: schedule.keep })],
          ]}
        />
        {mayChange && (
          <Box sx={{ mt: 4, display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center' }}>
            <Button variant="contained" color="primary" loading={isRunning} title="B" aria-keyshortcuts="B" onClick={start}>
              {t('Back up now')}
            </Button>
            <Button onClick={() => setScheduleOpen(true)}>{t('Change schedule')}</Button>
          </Box>
        )}
        <Box sx={{ mt: 3, display: 'grid', gap: 3 }}>
          {begin.failure && <FailureNote failure={begin.failure} />}
          {check.failure && <FailureNote failure={check.failure} />}
          <MutedText>
            {t(
              'Backups are encrypted with the master key. They can’t be opened without the key file or the recovery file: store one of them somewhere other than this computer.',
            )}
          </MutedText>
        </Box>
      </Section>
      <Section title={t('Backups')}>
        <QueryContent
          query={list}
          isEmpty={(backups) => backups.length === 0}
          empty={<EmptyState title={t('No backups yet')}>{t('Backups appear here with the result of their restore check.')}</EmptyState>}
        >
          {(backups) => <BackupList backups={backups} timezone={timezone} onCheck={mayChange ? (id) => check.onSubmit(id) : undefined} />}
        </QueryContent>
      </Section>
      <ArchiveSection timezone={timezone} />
      {isScheduleOpen && <ScheduleDialog schedule={schedule} onClose={() => setScheduleOpen(false)} />}
    </Box>
  );
}

const lastBackupText = (last: NonNullable<BackupOverview['last']>) =>
  [last.bytes === null ? null : sizeText(last.bytes), checkText(last)].filter(Boolean).join(' · ');

function LastBackup({ at, timezone, text }: { at: string; timezone: string; text: string }) {
  return (
    <>
      <TimeText at={at} timeZone={timezone} /> · {text}
    </>
  );
}

/** Export of the account's data for owners. */
function ExportSection() {
  const saving = useMutation({ mutationFn: saveExport, onSuccess: () => showToast(t('Data exported')) });
  return (
    <Section title={t('Export data')}>
      <MutedText>
        {t(
          'All data of this account as JSON Lines in a .tar.gz file, with a folder per table and a manifest. Tokens are included; card numbers, passwords, keys and secrets are not. This is not a backup: you can’t restore from it.',
        )}
      </MutedText>
      <Box sx={{ mt: 3, display: 'grid', gap: 3, justifyItems: 'start' }}>
        <Button
          startIcon={<Download size={16} aria-hidden />}
          loading={saving.isPending}
          loadingPosition="start"
          onClick={() => !saving.isPending && saving.mutate()}
        >
          {t('Export data')}
        </Button>
        {saving.error && <FailureNote failure={saving.error} />}
      </Box>
    </Section>
  );
}
