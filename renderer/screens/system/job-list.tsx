import Box from '@mui/material/Box';
import type { SystemStatus } from '#renderer/client';
import { jobName, jobState } from '#renderer/system-status';
import { Entry, MutedText, Section, StatusChip, TimeText } from '#renderer/ui';

interface JobListProps {
  readonly jobs: SystemStatus['jobs'];
  readonly timeZone: string;
}

/** Scheduled jobs: last run on this server, and next run. */
export function JobList({ jobs, timeZone }: JobListProps) {
  return (
    <Section title="Scheduled jobs">
      <Box component="ul" aria-label="Jobs" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {jobs.map((job) => (
          <Entry key={job.name}>
            <Box sx={{ width: 96 }}>
              <StatusChip state={jobState(job)} />
            </Box>
            <Box sx={{ flex: 1, minWidth: 200 }}>{jobName(job.name)}</Box>
            <Run name="Last" at={job.lastAt} none="not since server start" timeZone={timeZone} />
            <Run name="Next" at={job.nextAt} none="nothing due" timeZone={timeZone} />
          </Entry>
        ))}
      </Box>
      <Box sx={{ mt: 2 }}>
        <MutedText>“Last” is the last run on this server. “Next” is for this account, by its own clock.</MutedText>
      </Box>
    </Section>
  );
}

function Run({ name, at, none, timeZone }: { name: string; at: string | null; none: string; timeZone: string }) {
  return (
    <Box sx={{ width: 196, color: 'text.secondary' }}>
      {name}: {at === null ? none : <TimeText at={at} timeZone={timeZone} />}
    </Box>
  );
}
