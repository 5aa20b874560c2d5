import Box from '@mui/material/Box';
import type { SystemStatus } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { Entry, MutedText, Section, StatusChip, TimeText } from '#renderer/kit/ui';
import { jobName, jobState } from '#renderer/session/system-status';

interface JobListProps {
  readonly jobs: SystemStatus['jobs'];
  readonly timeZone: string;
}

/** Scheduled jobs: last run on this server, and next run. */
export function JobList({ jobs, timeZone }: JobListProps) {
  return (
    <Section title={t('Scheduled jobs')}>
      <Box component="ul" aria-label={t('Jobs')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {jobs.map((job) => (
          <Entry key={job.name}>
            <Box sx={{ width: 96 }}>
              <StatusChip state={jobState(job)} of="job" />
            </Box>
            <Box sx={{ flex: 1, minWidth: 200 }}>{jobName(job.name)}</Box>
            <Box sx={RUN}>
              <Trans
                i18nKey="Last: <0/>"
                components={[<RunTime key="0" at={job.lastAt} none={t('not since server start')} timeZone={timeZone} />]}
              />
            </Box>
            <Box sx={RUN}>
              <Trans i18nKey="Next: <0/>" components={[<RunTime key="0" at={job.nextAt} none={t('nothing due')} timeZone={timeZone} />]} />
            </Box>
          </Entry>
        ))}
      </Box>
      <Box sx={{ mt: 2 }}>
        <MutedText>{t('“Last” is the last run on this server. “Next” is for this account, by its own clock.')}</MutedText>
      </Box>
    </Section>
  );
}

const RUN = { width: 196, color: 'text.secondary' } as const;

function RunTime({ at, none, timeZone }: { at: string | null; none: string; timeZone: string }) {
  return at === null ? none : <TimeText at={at} timeZone={timeZone} />;
}
