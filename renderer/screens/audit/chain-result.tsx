import Alert from '@mui/material/Alert';
import type { ApiFailure } from '#renderer/client';
import { FailureNote } from '#renderer/ui';
import type { verifyChain } from './queries.ts';

type Verdict = Awaited<ReturnType<typeof verifyChain>>;

/** Result of verifying the chain; empty before it ran. */
export function ChainResult({ verdict, failure }: { verdict: Verdict | undefined; failure: ApiFailure | null }) {
  if (failure) return <FailureNote failure={failure} />;
  if (!verdict) return null;
  return <Alert severity={verdict.valid ? 'success' : 'error'}>{verdictText(verdict)}</Alert>;
}

function verdictText({ valid, entries, firstBadId, reason }: Verdict): string {
  const count = `${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}`;
  if (valid) return `The log is intact: ${count}, none changed, removed or reordered.`;
  const where = firstBadId ? ` at entry ${firstBadId}` : '';
  return `The chain of ${count} is broken${where}: ${reason ?? 'the hashes do not match'}. The log was changed outside of Paydesk.`;
}
