import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { type UpdateState, useUpdate } from '#renderer/desktop';
import { announce } from '#renderer/ui';

/** Installed version, status of updates and the next action. Renders nothing in a browser. */
export function UpdateLine() {
  const update = useUpdate();
  const [problem, setProblem] = useState<string>();
  if (!update) return null;
  const { state } = update;
  const restart = async () => {
    const { problem: reason } = await update.restart();
    setProblem(reason);
    if (reason) announce(reason);
  };
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ fontWeight: 600 }}>Version {state.version}</Box>
          <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {describeUpdate(state)}
          </Box>
        </Box>
        {state.status === 'ready' && <Button onClick={() => void restart()}>Restart now</Button>}
        {(state.status === 'none' || state.status === 'failed') && (
          <Button onClick={() => update.check()}>{state.status === 'none' ? 'Check for updates' : 'Try again'}</Button>
        )}
      </Box>
      {state.status === 'failed' && <Alert severity="warning">{state.problem}</Alert>}
      {problem && state.status === 'ready' && <Alert severity="info">{problem}</Alert>}
      {state.notes && state.next && <Notes version={state.next} notes={state.notes} />}
    </Box>
  );
}

function Notes({ version, notes }: { version: string; notes: string }) {
  return (
    <Box component="details" sx={{ fontSize: 13 }}>
      <Box component="summary" sx={{ cursor: 'pointer', lineHeight: '24px' }}>
        What’s new in {version}
      </Box>
      <Box sx={{ pt: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 200, overflow: 'auto' }}>{notes}</Box>
    </Box>
  );
}

function describeUpdate({ status, next, percent, checkedAt }: UpdateState): string {
  switch (status) {
    case 'off':
      return 'This build can’t check for updates. To update, run a new installer.';
    case 'checking':
      return 'Checking for updates';
    case 'downloading':
      return `Downloading version ${next}: ${percent ?? 0}%`;
    case 'ready':
      return `Version ${next} installs when you quit.`;
    case 'failed':
      return next ? `Version ${next} is not installed.` : 'Couldn’t check for updates.';
    case 'none':
      return checkedAt ? 'Paydesk is up to date.' : 'Paydesk checks for updates automatically.';
  }
}
