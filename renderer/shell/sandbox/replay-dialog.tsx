import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { CodeBlock, FileDrop, FormDialog } from '#renderer/kit/ui';
import { type ReplayReport, replayFile } from './recording-requests.ts';

/** Replays a file and shows the first difference side by side. */
export function ReplayDialog({ onClose }: { onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isReset, setReset] = useState(false);
  const replay = useMutation({
    mutationFn: (chosen: File) => replayFile(chosen, isReset),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <FormDialog
      title={t('Replay a recording')}
      submitLabel={isReset ? t('Delete data and replay') : t('Replay')}
      cancelLabel={t('Close')}
      isDangerous={isReset}
      isBusy={replay.isPending}
      isDisabled={!file}
      failure={replay.error}
      onSubmit={() => file && replay.mutate(file)}
      onClose={onClose}
      maxWidth="md"
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <span>{t('The requests of the file run again, at the same distances in time. The test clock moves forward.')}</span>
        <FileDrop
          label={t('Recording file')}
          inputRef={input}
          accept=".jsonl,application/x-ndjson"
          onFile={(chosen) => {
            setFile(chosen);
            replay.reset();
          }}
          fileName={file?.name}
          hint={t('Or drop the file here.')}
        >
          <FormControlLabel
            control={<Switch checked={isReset} onChange={(_, next) => setReset(next)} />}
            label={t('Delete the payments and customers of this sandbox first')}
          />
          {replay.data && <Result report={replay.data} />}
        </FileDrop>
      </Box>
    </FormDialog>
  );
}

function Result({ report }: { report: ReplayReport }) {
  const { difference, equalSteps, omittedSteps, steps } = report;
  if (difference === null)
    return (
      <Alert severity="success">
        {t('As recorded: {{equal}} of {{count, number}} steps.', { equal: equalSteps, count: steps })}
        {omittedSteps > 0 && ` ${t('{{count, number}} with a secret left out.', { count: omittedSteps })}`}
      </Alert>
    );
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Alert severity="error">
        {t('Step {{step}}, {{request}}: {{message}}', {
          step: difference.step,
          request: difference.request,
          message: serviceText(difference.message),
        })}
      </Alert>
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 3 }}>
        <Value title={t('Recorded')} value={difference.expected} />
        <Value title={t('Replayed')} value={difference.actual} />
      </Box>
    </Box>
  );
}

function Value({ title, value }: { title: string; value: unknown }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <strong>{title}</strong>
      <CodeBlock label={title} text={JSON.stringify(value, null, 2)} />
    </Box>
  );
}
