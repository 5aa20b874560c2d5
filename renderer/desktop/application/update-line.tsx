import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { type UpdateState, useUpdate } from '#renderer/desktop/bridge';
import { announce } from '#renderer/kit/ui';

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
          <Box sx={{ fontWeight: 600 }}>{t('Version {{version}}', { version: state.version })}</Box>
          <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {describeUpdate(state)}
          </Box>
        </Box>
        {state.status === 'ready' && <Button onClick={() => void restart()}>{t('Restart now')}</Button>}
        {(state.status === 'none' || state.status === 'failed') && (
          <Button onClick={() => update.check()}>{state.status === 'none' ? t('Check for updates') : t('Try again')}</Button>
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
        {t('What’s new in {{version}}', { version })}
      </Box>
      <Box sx={{ pt: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 200, overflow: 'auto' }}>{notes}</Box>
    </Box>
  );
}

function describeUpdate({ status, next = '', percent, checkedAt }: UpdateState): string {
  switch (status) {
    case 'off':
      return t('This build can’t check for updates. To update, run a new installer.');
    case 'checking':
      return t('Checking for updates');
    case 'downloading':
      return t('Downloading version {{version}}: {{percent}}%', { version: next, percent: percent ?? 0 });
    case 'ready':
      return t('Version {{version}} installs when you quit.', { version: next });
    case 'failed':
      return next ? t('Version {{version}} is not installed.', { version: next }) : t('Couldn’t check for updates.');
    case 'none':
      return checkedAt ? t('Paydesk is up to date.') : t('Paydesk checks for updates automatically.');
  }
}
