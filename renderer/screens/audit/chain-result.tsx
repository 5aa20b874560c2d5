import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { ApiFailure } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { FailureNote } from '#renderer/kit/ui';
import type { verifyChain } from './queries.ts';

type Verdict = Awaited<ReturnType<typeof verifyChain>>;

/** Result of verifying the chain; empty before it ran. */
export function ChainResult({ verdict, failure }: { verdict: Verdict | undefined; failure: ApiFailure | null }) {
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
