import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ArchiveOverview } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ConfirmDialog, EmptyState, FactList, FailureNote, MutedText, QueryContent, Section, useSubmit } from '#renderer/kit/ui';
import { ArchiveDialog } from './archive-dialog.tsx';
import { ArchiveList } from './archive-list.tsx';
import { archiveQuery, beginArchive, checkArchive, refreshArchives } from './queries.ts';

/** Archives of old audit entries and webhook events: settings, list and checks. */
export function ArchiveSection({ timezone }: { timezone: string }) {
  const overview = useQuery(archiveQuery);
  return (
    <Section title={t('Archive of old years')}>
      <QueryContent query={overview}>{(data) => <Archives overview={data} timezone={timezone} />}</QueryContent>
    </Section>
  );
}

function Archives({ overview, timezone }: { overview: ArchiveOverview; timezone: string }) {
  const { isOn, keepYears, folder, nextYear, isUnderWay, archives, mayChange } = overview;
  const [isDialogOpen, setDialogOpen] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const begin = useSubmit({
    send: beginArchive,
    refresh: refreshArchives,
    announcement: t('Archive started.'),
    onClose: () => setAsked(false),
  });
  const check = useSubmit({ send: checkArchive, refreshFirst: refreshArchives, announcement: t('Archive check started.') });
  const isRunning = begin.isBusy || isUnderWay;
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <FactList
        facts={[
          [t('Automatic archive'), isOn ? t('On', { context: 'archive' }) : t('Off', { context: 'archive' })],
          [t('Stay in the database'), t('{{count, number}} complete calendar years', { count: keepYears })],
          [
            t('Folder'),
            <span key="folder" className="mono">
              {folder}
            </span>,
          ],
          [t('Next year to archive'), nextYear === null ? t('Nothing is old enough') : String(nextYear)],
        ]}
      />
      {mayChange && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
          {(nextYear !== null || isRunning) && (
            <Button loading={isRunning} loadingPosition="end" onClick={() => !isRunning && setAsked(true)}>
              {nextYear === null ? t('Archive now') : t('Archive {{year}} now', { year: String(nextYear) })}
            </Button>
          )}
          <Button onClick={() => setDialogOpen(true)}>{t('Change archive settings')}</Button>
        </Box>
      )}
      <ConfirmDialog
        {...begin}
        title={nextYear === null ? t('Archive now?') : t('Archive {{year}} now?', { year: String(nextYear) })}
        isOpen={isAsked}
        submitLabel={t('Archive now')}
      >
        {t('Its audit entries and webhook events leave the database for an encrypted file. You can’t undo this.')}
      </ConfirmDialog>
      {check.failure && <FailureNote failure={check.failure} />}
      <MutedText>
        {t(
          'An archive moves the audit entries and webhook events of an old year into an encrypted file. The audit log and the events still show them. Backups don’t contain these files: copy them along with the backups.',
        )}
      </MutedText>
      {archives.length === 0 ? (
        <EmptyState title={t('No archives yet')}>{t('Archived years appear here.')}</EmptyState>
      ) : (
        <ArchiveList archives={archives} timezone={timezone} onCheck={mayChange ? (id) => check.onSubmit(id) : undefined} />
      )}
      {isDialogOpen && <ArchiveDialog settings={overview} onClose={() => setDialogOpen(false)} />}
    </Box>
  );
}
