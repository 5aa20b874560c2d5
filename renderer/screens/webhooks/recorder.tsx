import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useMay, useMe } from '#renderer/session';
import { announce, FailureNote } from '#renderer/ui';
import { downloadRecording, newestRecordingQuery, startRecording, stopRecording } from './recording-requests.ts';
import { ReplayDialog } from './replay-dialog.tsx';

/** Records the requests of a sandbox account, and replays a recording. */
export function Recorder() {
  const may = useMay();
  const { user } = useMe();
  const canRecord = may('settings:write') && user.merchantId === null;
  const { data: newest } = useQuery(newestRecordingQuery);
  const [name, setName] = useState('');
  const [isReplaying, setReplaying] = useState(false);
  const start = useMutation({ mutationFn: () => startRecording(name.trim() || 'Recording'), onSuccess: () => announce('Recording.') });
  const stop = useMutation({ mutationFn: stopRecording, onSuccess: () => announce('Recording stopped.') });
  const download = useMutation({ mutationFn: downloadRecording });
  const isRunning = newest?.state === 'recording';
  const failure = start.error ?? stop.error ?? download.error;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!start.isPending) start.mutate();
  };
  if (!canRecord) return null;
  return (
    <Box
      component="section"
      aria-label="Recorder"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 2,
        fontSize: 13,
        border: `1px dashed ${theme.vars.palette.tone.warning.main}`,
        borderRadius: 1,
      })}
    >
      <strong>Recorder</strong>
      {isRunning ? (
        <>
          <Box
            component="span"
            aria-hidden
            sx={(theme) => ({ width: 10, height: 10, borderRadius: '50%', bgcolor: theme.vars.palette.error.main })}
          />
          <span>
            Recording {newest.name}: {newest.steps} {newest.steps === 1 ? 'step' : 'steps'}
          </span>
          <Button size="small" disabled={stop.isPending} onClick={() => stop.mutate(newest.id)}>
            Stop recording
          </Button>
        </>
      ) : (
        <Box component="form" onSubmit={onSubmit} sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <TextField
            id="recording-name"
            size="small"
            hiddenLabel
            placeholder="Name of the recording"
            value={name}
            onChange={(event) => setName(event.target.value)}
            slotProps={{ htmlInput: { 'aria-label': 'Name of the recording', maxLength: 100, autoComplete: 'off' } }}
          />
          <Button type="submit" size="small" disabled={start.isPending}>
            Record
          </Button>
        </Box>
      )}
      {newest?.state === 'stopped' && (
        <Button size="small" disabled={download.isPending} onClick={() => download.mutate(newest)}>
          Download {newest.name}
        </Button>
      )}
      {!isRunning && (
        <Button size="small" onClick={() => setReplaying(true)}>
          Replay file
        </Button>
      )}
      {failure && <FailureNote failure={failure} />}
      {isReplaying && <ReplayDialog onClose={() => setReplaying(false)} />}
    </Box>
  );
}
