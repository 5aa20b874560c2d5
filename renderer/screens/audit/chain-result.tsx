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
  if (valid) return `The chain is whole: ${count}, none changed, removed or moved.`;
  const where = firstBadId ? ` at entry ${firstBadId}` : '';
  return `The chain of ${count} is broken${where}: ${reason ?? 'it does not fit together'}. Somebody changed the log past the service.`;
}
