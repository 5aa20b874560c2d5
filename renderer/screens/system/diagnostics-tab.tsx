import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDesktop } from '#renderer/desktop';
import { Answer, announce, CodeBlock, Quiet, showToast } from '#renderer/ui';
import { makeInBrowser, saveInBrowser } from './diagnostics.ts';

/** A file for support that can be read before it is saved (experience 2.18). Nothing is sent. */
export function DiagnosticsTab() {
  const { application } = useDesktop();
  const [problem, setProblem] = useState<string>();
  const made = useQuery({
    queryKey: ['diagnostics'],
    queryFn: () => application?.makeDiagnostics() ?? makeInBrowser(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const save = useMutation({
    mutationFn: async () => {
      const outcome = application ? await application.saveDiagnostics() : made.data && saveInBrowser(made.data);
      setProblem(outcome?.problem);
      if (outcome?.problem) announce(outcome.problem);
      else if (outcome?.saved) showToast('The diagnostics were saved');
    },
  });
  return (
    <Box sx={{ maxWidth: 920, display: 'grid', gap: 4 }}>
      <Box>
        {application
          ? 'Versions, settings, how the parts stand, and the newest part of the log.'
          : 'Versions and how the parts stand. The log stays with the server; the desktop application adds its own.'}{' '}
        Card numbers, keys and passwords are not in it. Read it here; it leaves this computer by your hand only.
      </Box>
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button variant="contained" color="primary" disabled={!made.data} loading={save.isPending} onClick={() => save.mutate()}>
          Save the file
        </Button>
        <Button loading={made.isFetching} onClick={() => void made.refetch()}>
          Make it anew
        </Button>
      </Box>
      {problem && <Alert severity="error">{problem}</Alert>}
      <Answer of={made}>
        {({ name, text }) => (
          <Box sx={{ display: 'grid', gap: 2 }}>
            <Quiet>
              <span className="mono">{name}</span>
            </Quiet>
            <CodeBlock label="What the file holds" text={text} maxHeight={480} />
          </Box>
        )}
      </Answer>
    </Box>
  );
}
