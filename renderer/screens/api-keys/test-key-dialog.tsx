import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog } from '#renderer/kit/ui';
import { testKey } from './queries.ts';

/** Tests a key as a program would use it and shows the result. */
export function TestKeyDialog({ tenantId, onClose }: { tenantId: string; onClose: () => void }) {
  const [key, setKey] = useState('');
  const test = useMutation({ mutationFn: () => testKey(key.trim(), tenantId) });
  return (
    <FormDialog
      title={t('Test a key')}
      submitLabel={t('Test key')}
      cancelLabel={t('Close')}
      isBusy={test.isPending}
      isDisabled={key.trim() === ''}
      onSubmit={() => test.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="tried-key"
          label={t('Key')}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          autoFocus
          slotProps={{ htmlInput: { className: 'mono', autoComplete: 'off', spellCheck: false } }}
        />
        {test.error && <Alert severity="error">{t('The server isn’t responding.')}</Alert>}
        {test.data && <Alert severity={test.data.isValid ? 'success' : 'error'}>{test.data.message}</Alert>}
      </Box>
    </FormDialog>
  );
}
