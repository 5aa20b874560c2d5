import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, take, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type Diagnostics, type SaveOutcome, useDesktop } from '#renderer/desktop/bridge';
import { announce, CodeBlock, MutedText, QueryContent, showToast } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';

/** A file for support, with a preview before it is saved. Nothing is sent. */
export function DiagnosticsTab() {
  const { application } = useDesktop();
  const [problem, setProblem] = useState<string>();
  const diagnostics = useQuery({
    queryKey: ['diagnostics'],
    queryFn: () => application?.makeDiagnostics() ?? createInBrowser(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const save = useMutation({
    mutationFn: async () => {
      const outcome = application ? await application.saveDiagnostics() : diagnostics.data && saveInBrowser(diagnostics.data);
      setProblem(outcome?.problem);
      if (outcome?.problem) announce(outcome.problem);
      else if (outcome?.saved) showToast(t('Diagnostics saved'));
    },
  });
  return (
    <Box sx={{ maxWidth: 920, display: 'grid', gap: 4 }}>
      <Box>
        {application
          ? t('Contains versions, settings, system status and recent log entries.')
          : t('Contains versions and system status. The log stays on the server; the desktop application adds its own.')}{' '}
        {t('Card numbers, keys and passwords are not included. Nothing is sent: you save the file yourself.')}
      </Box>
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button variant="contained" color="primary" disabled={!diagnostics.data} loading={save.isPending} onClick={() => save.mutate()}>
          {t('Save file')}
        </Button>
        <Button loading={diagnostics.isFetching} onClick={() => void diagnostics.refetch()}>
          {t('Refresh')}
        </Button>
      </Box>
      {problem && <Alert severity="error">{problem}</Alert>}
      <QueryContent query={diagnostics}>
        {({ name, text }) => (
          <Box sx={{ display: 'grid', gap: 2 }}>
            <MutedText>
              <span className="mono">{name}</span>
            </MutedText>
            <CodeBlock label={t('File contents')} text={text} maxHeight={480} />
          </Box>
        )}
      </QueryContent>
    </Box>
  );
}

/** Collects what a browser can read: the server's health and status. */
async function createInBrowser(): Promise<Diagnostics> {
  const madeAt = new Date().toISOString();
  const [health, status] = await Promise.all([take(api.GET('/health')), takeData(api.GET('/api/v1/system/status'))]);
  const content = { madeAt, page: location.origin, browser: navigator.userAgent, health, status };
  const name = `paydesk-diagnostics-${madeAt.slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}.json`;
  return { name, text: `${JSON.stringify(content, null, 2)}\n` };
}

/** Saves the file with the browser's download. */
function saveInBrowser({ name, text }: Diagnostics): SaveOutcome {
  saveAs(new Blob([text], { type: 'application/json' }), name);
  return { saved: true };
}
