import Box from '@mui/material/Box';
import type { SystemStatus } from '#renderer/client';
import { Entry, Quiet, Section, StatusChip, TimeText } from '#renderer/ui';
import { jobName, jobState } from './status-words.ts';

interface JobListProps {
  readonly jobs: SystemStatus['jobs'];
  readonly timeZone: string;
}

/** Scheduled jobs: last run on this server, and next run. */
export function JobList({ jobs, timeZone }: JobListProps) {
  return (
    <Section title="What is done by itself">
      <Box component="ul" aria-label="Jobs" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {jobs.map((job) => (
          <Entry key={job.name}>
            <Box sx={{ width: 96 }}>
              <StatusChip state={jobState(job)} />
            </Box>
            <Box sx={{ flex: 1, minWidth: 200 }}>{jobName(job.name)}</Box>
            <Run name="Last" at={job.lastAt} none="not since the start" timeZone={timeZone} />
            <Run name="Next" at={job.nextAt} none="nothing waits" timeZone={timeZone} />
          </Entry>
        ))}
      </Box>
      <Box sx={{ mt: 2 }}>
        <Quiet>The last run is that of this server. What waits is of this account, by its own clock.</Quiet>
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
