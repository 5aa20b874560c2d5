import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '#renderer/client';
import { CodeBlock, Dialog, FailureNote, FileDrop } from '#renderer/ui';
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
    <Dialog
      title="Replay a recording"
      isOpen
      onClose={onClose}
      onSubmit={() => file && !replay.isPending && replay.mutate(file)}
      maxWidth="md"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" variant="contained" color={isReset ? 'error' : 'primary'} disabled={!file} loading={replay.isPending}>
            {isReset ? 'Delete data and replay' : 'Replay'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <span>The requests of the file run again, at the same distances in time. The test clock moves forward.</span>
        <FileDrop
          label="Recording file"
          inputRef={input}
          accept=".jsonl,application/x-ndjson"
          onFile={(chosen) => {
            setFile(chosen);
            replay.reset();
          }}
          button={
            <Button autoFocus onClick={() => input.current?.click()}>
              {file ? 'Choose another file' : 'Choose file'}
            </Button>
          }
          hint={file?.name ?? 'Or drop the file here.'}
        >
          <FormControlLabel
            control={<Switch checked={isReset} onChange={(_, next) => setReset(next)} />}
            label="Delete the payments and customers of this sandbox first"
          />
          {replay.data && <Result report={replay.data} />}
          {replay.error && <FailureNote failure={replay.error} />}
        </FileDrop>
      </Box>
    </Dialog>
  );
}

function Result({ report }: { report: ReplayReport }) {
  const { difference, equalSteps, omittedSteps, steps } = report;
  const omitted = omittedSteps === 0 ? '' : ` ${omittedSteps} with a secret left out.`;
  if (difference === null)
    return (
      <Alert severity="success">
        As recorded: {equalSteps} of {steps} steps.{omitted}
      </Alert>
    );
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Alert severity="error">
        Step {difference.step}, {difference.request}: {difference.message}
      </Alert>
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 3 }}>
        <Value title="Recorded" value={difference.expected} />
        <Value title="Replayed" value={difference.actual} />
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
