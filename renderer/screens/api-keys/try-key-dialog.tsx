import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '#renderer/ui';
import { tryKey } from './queries.ts';

/** Tries a key as a program would, and says what the service answered. */
export function TryKeyDialog({ tenantId, onClose }: { tenantId: string; onClose: () => void }) {
  const [key, setKey] = useState('');
  const trial = useMutation({ mutationFn: () => tryKey(key.trim(), tenantId) });
  return (
    <Dialog
      title="Test a key"
      isOpen
      onClose={onClose}
      onSubmit={() => key.trim() !== '' && trial.mutate()}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={trial.isPending} disabled={key.trim() === ''}>
            Test the key
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="tried-key"
          label="Key"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          autoFocus
          slotProps={{ htmlInput: { className: 'mono', autoComplete: 'off', spellCheck: false } }}
        />
        {trial.error && <Alert severity="error">The service does not answer.</Alert>}
        {trial.data && <Alert severity={trial.data.isGood ? 'success' : 'error'}>{trial.data.words}</Alert>}
      </Box>
    </Dialog>
  );
}
