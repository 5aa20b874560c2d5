import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, FailureNote } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMe } from '#renderer/session/user';
import { downloadRecording, type Recording, startRecording, stopRecording } from './recording-requests.ts';

/** Returns the number of steps of a recording as text. */
export const stepsOf = ({ steps }: Recording) => t('{{count, number}} steps', { count: steps });

/** Returns true if the user can record: in a sandbox, for the whole account. */
export function useHasRecorder(): boolean {
  const may = useMay();
  const { user } = useMe();
  return useIsSandbox() && may('settings:write') && user.merchantId === null;
}

interface RecorderPanelProps {
  readonly newest: Recording | undefined;
  readonly onReplay: () => void;
}

/** Recorder of a sandbox account: counts the steps while it records the requests, and replays a file. */
export function RecorderPanel({ newest, onReplay }: RecorderPanelProps) {
  const [name, setName] = useState('');
  const start = useMutation({
    mutationFn: () => startRecording(name.trim() || 'Recording'),
    onSuccess: () => announce(t('Recording.')),
  });
  const stop = useMutation({ mutationFn: stopRecording, onSuccess: () => announce(t('Recording stopped.')) });
  const download = useMutation({ mutationFn: downloadRecording });
  const failure = start.error ?? stop.error ?? download.error;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!start.isPending) start.mutate();
  };
  return (
    <Box sx={{ display: 'grid', gap: 4, fontSize: 13 }}>
      <Box>
        <strong>
          {newest?.state === 'recording'
            ? t('Recording {{name}}: {{steps}}', { name: newest.name, steps: stepsOf(newest) })
            : t('Recorder')}
        </strong>
        <Box sx={{ color: 'text.secondary' }}>
          {t('Records the requests to this account and moves of the test clock. A replay runs them again and shows the first difference.')}
        </Box>
      </Box>
      {newest?.state === 'recording' ? (
        <Button
          variant="contained"
          color="primary"
          autoFocus
          loading={stop.isPending}
          onClick={() => stop.mutate(newest.id)}
          sx={{ justifySelf: 'start' }}
        >
          {t('Stop recording')}
        </Button>
      ) : (
        <>
          <Box component="form" onSubmit={onSubmit} sx={{ display: 'flex', alignItems: 'flex-end', gap: 2 }}>
            <TextField
              id="recording-name"
              label={t('Name of the recording')}
              size="small"
              fullWidth
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
              slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off' } }}
            />
            <Button type="submit" variant="outlined" loading={start.isPending} sx={{ flexShrink: 0, height: 40 }}>
              {t('Record', { context: 'recorder' })}
            </Button>
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {newest?.state === 'stopped' && (
              <Button size="small" variant="outlined" loading={download.isPending} onClick={() => download.mutate(newest)}>
                {t('Download {{name}}', { name: newest.name })}
              </Button>
            )}
            <Button size="small" variant="outlined" onClick={onReplay}>
              {t('Replay file')}
            </Button>
          </Box>
        </>
      )}
      {failure && <FailureNote failure={failure} />}
    </Box>
  );
}
