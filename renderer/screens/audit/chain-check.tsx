import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { FailureNote } from '#renderer/ui';
import { verifyChain } from './queries.ts';

/** Walks the chain on request and says what it found. */
export function ChainCheck() {
  const check = useMutation({ mutationFn: verifyChain });
  const { data } = check;
  return (
    <Box sx={{ display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
      <Button variant="contained" color="primary" loading={check.isPending} onClick={() => check.mutate()}>
        Verify chain
      </Button>
      {check.error && <FailureNote failure={check.error} />}
      {data?.valid && (
        <Alert severity="success" role="status">
          The chain is whole: {data.entries.toLocaleString()} entries, none changed, removed or moved.
        </Alert>
      )}
      {data && !data.valid && (
        <Alert severity="error">
          The chain is broken{data.firstBadId ? ` at ${data.firstBadId}` : ''}: {data.reason}. Somebody changed the log in the database.
        </Alert>
      )}
    </Box>
  );
}
