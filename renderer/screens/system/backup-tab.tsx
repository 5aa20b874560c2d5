import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, type BackupOverview } from '#renderer/client';
import { useMay } from '#renderer/session';
import {
  Answer,
  announce,
  EmptyNote,
  exactTime,
  FactList,
  FailureNote,
  KeyHint,
  Quiet,
  Section,
  TimeText,
  useShortcuts,
} from '#renderer/ui';
import { BackupList } from './backup-list.tsx';
import { backupQuery, backupsQuery, beginBackup, checkBackup, refreshBackups } from './backup-queries.ts';
import { checkText, sizeText } from './backup-words.ts';
import { ExportSection } from './export-section.tsx';
import { HeldNote } from './held-note.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

const FORBIDDEN = 403;

/** Backups of the installation, the rehearsal of their restore, and what a business takes along. */
export function BackupTab() {
  const may = useMay();
  const overview = useQuery(backupQuery);
  const isOfAnother = overview.error instanceof ApiFailure && overview.error.status === FORBIDDEN;
  return (
    <Box sx={{ display: 'grid', gap: 8, maxWidth: 920 }}>
      {isOfAnother ? (
        <Quiet>Backups are made for the whole installation, by the owners of the business that it began with.</Quiet>
      ) : (
        <Answer of={overview}>{(data) => <Backups overview={data} />}</Answer>
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
  const begin = useMutation({
    mutationFn: beginBackup,
    onSuccess: () => announce('The backup is being made.'),
    onSettled: () => refreshBackups(),
  });
  const check = useMutation({
    mutationFn: checkBackup,
    onSuccess: () => announce('The backup is being opened.'),
    onSettled: () => refreshBackups(),
  });
  const isWorking = begin.isPending || overview.isUnderWay;
  const start = () => {
    if (!isWorking) begin.mutate();
  };
  useShortcuts('System', mayChange ? [{ keys: 'B', label: 'Back up now', run: start }] : []);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      {restored && restored.resumedAt === null && <HeldNote restored={restored} timezone={timezone} mayChange={mayChange} />}
      <Section title="Daily backup">
        <FactList
          facts={[
            ['Last', last ? <LastBackup key="last" at={last.createdAt} timezone={timezone} words={lastWords(last)} /> : 'None yet'],
            ['Next', schedule.nextAt ? exactTime(schedule.nextAt, timezone) : 'Only by hand'],
            [
              'Folder',
              <span key="folder" className="mono">
                {schedule.folder}
              </span>,
            ],
            ['Kept', `The newest ${schedule.keep}`],
          ]}
        />
        {mayChange && (
          <Box sx={{ mt: 4, display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center' }}>
            <Button
              variant="contained"
              color="primary"
              loading={isWorking}
              loadingPosition="end"
              endIcon={<KeyHint keys="B" />}
              aria-keyshortcuts="B"
              onClick={start}
            >
              Back up now
            </Button>
            <Button onClick={() => setScheduleOpen(true)}>Change</Button>
          </Box>
        )}
        <Box sx={{ mt: 3, display: 'grid', gap: 3 }}>
          {begin.error && <FailureNote failure={begin.error} />}
          {check.error && <FailureNote failure={check.error} />}
          <Quiet>
            Backups are encrypted with the master key. Without the key file or the recovery file nobody opens them: keep one of the two
            apart from this machine.
          </Quiet>
        </Box>
      </Section>
      <Section title="Backups">
        <Answer
          of={list}
          isEmpty={(backups) => backups.length === 0}
          empty={<EmptyNote title="Nothing yet">The first backup appears here as it is made, with what opening it found.</EmptyNote>}
        >
          {(backups) => <BackupList backups={backups} timezone={timezone} onCheck={mayChange ? (id) => check.mutate(id) : undefined} />}
        </Answer>
      </Section>
      {isScheduleOpen && <ScheduleDialog schedule={schedule} onClose={() => setScheduleOpen(false)} />}
    </Box>
  );
}

const lastWords = (last: NonNullable<BackupOverview['last']>) =>
  [last.bytes === null ? null : sizeText(last.bytes), checkText(last)].filter(Boolean).join(' · ');

function LastBackup({ at, timezone, words }: { at: string; timezone: string; words: string }) {
  return (
    <>
      <TimeText at={at} timeZone={timezone} /> · {words}
    </>
  );
}
