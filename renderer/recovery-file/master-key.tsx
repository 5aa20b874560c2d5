import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient, takeData } from '#renderer/client';
import { withCode } from '#renderer/confirmation';
import { useMay, useMerchant } from '#renderer/session';
import { ConfirmDialog, Dialog, FactList, FailureNote, PasswordField, StatusChip, showToast, TimeText } from '#renderer/ui';
import { RecoveryDialog } from './recovery-dialog.tsx';
import { type KeyState, keysQuery } from './requests.ts';

const KEPT_IN: Readonly<Record<KeyState['keptIn'], string>> = {
  file: 'A key file that only its owner may read',
  keychain: 'The keyring of this computer',
  passphrase: 'Under the passphrase that is asked for at each start',
  memory: 'Outside of Paydesk',
};

/** State of the key that encrypts cards, its recovery file, and its exchange. */
export function MasterKey() {
  const keys = useQuery(keysQuery);
  const { timezone } = useMerchant();
  const may = useMay();
  const [isOpen, setOpen] = useState<'recovery' | 'exchange' | 'renew'>();
  const close = () => setOpen(undefined);
  const state = keys.data;
  if (keys.error) return <FailureNote failure={keys.error} onRetry={() => void keys.refetch()} />;
  if (!state) return null;
  const saved = state.recoveryFileSavedAt;
  return (
    <Box component="section" aria-labelledby="master-key" sx={{ maxWidth: 760, display: 'grid', gap: 3 }}>
      <Box component="h2" id="master-key" sx={{ fontSize: 14, fontWeight: 600, m: 0 }}>
        Encryption keys
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        Stored cards and accounts are encrypted with a data key of this account, and all data keys with one master key. Whoever loses the
        master key loses the cards; the recovery file is the way back.
      </Box>
      <FactList
        facts={[
          ['Kept in', KEPT_IN[state.keptIn]],
          [
            'Key',
            <span key="id" className="mono">
              {state.keyId}
            </span>,
          ],
          ['In use since', state.since !== '' && <TimeText at={state.since} timeZone={timezone} />],
          ['Recovery file', <RecoveryState key="recovery" savedAt={saved} timeZone={timezone} />],
        ]}
      />
      {!state.mayChange && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          An owner of the first account of this installation saves the recovery file and exchanges the master key.
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button
          variant={saved === null ? 'contained' : 'outlined'}
          color="primary"
          disabled={!state.mayChange}
          onClick={() => setOpen('recovery')}
        >
          {saved === null ? 'Save the recovery file' : 'Save another recovery file'}
        </Button>
        <Button variant="outlined" disabled={!state.mayChange || state.keptIn === 'memory'} onClick={() => setOpen('exchange')}>
          Exchange the master key
        </Button>
        <Button variant="outlined" disabled={!may('owner:keys')} onClick={() => setOpen('renew')}>
          Renew the data key
        </Button>
      </Box>
      {isOpen === 'recovery' && <RecoveryDialog onClose={close} />}
      {isOpen === 'exchange' && <ExchangeDialog onClose={close} />}
      <RenewDialog isOpen={isOpen === 'renew'} onClose={close} />
    </Box>
  );
}

function RecoveryState({ savedAt, timeZone }: { savedAt: string | null; timeZone: string }) {
  if (savedAt === null) return <StatusChip state="overdue" word="Not saved yet" />;
  return (
    <>
      Saved <TimeText at={savedAt} timeZone={timeZone} />
    </>
  );
}

function ExchangeDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const exchange = useMutation({
    mutationFn: () => withCode((given) => takeData(api.POST('/api/v1/system/master-key/exchange', { body: { password, ...given } }))),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      showToast('The master key was exchanged. Save its recovery file now.');
      onClose();
    },
  });
  return (
    <Dialog
      title="Exchange the master key?"
      isOpen
      onClose={onClose}
      onSubmit={() => exchange.mutate()}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" disabled={password === ''} loading={exchange.isPending}>
            Exchange the key
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>Sales go on meanwhile. Afterwards the present key opens nothing any more, and neither does its recovery file.</Box>
        <Alert severity="info" sx={{ alignItems: 'flex-start' }}>
          Other stations on the same database: give each the new key and start it again. Until then they refuse to start. Keep the former
          recovery file as long as backups from before are kept: it opens those.
        </Alert>
        <PasswordField
          id="exchange-password"
          label="Your password"
          purpose="current-password"
          value={password}
          onValue={setPassword}
          autoFocus
        />
        {exchange.error && (
          <FailureNote failure={exchange.error}>{exchange.error.field === 'password' ? exchange.error.message : undefined}</FailureNote>
        )}
      </Box>
    </Dialog>
  );
}

function RenewDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const renew = useMutation({
    mutationFn: () => takeData(api.POST('/api/v1/system/data-key/renew')),
    onSuccess: () => {
      showToast('Cards are encrypted with a new data key from now on.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Renew the data key?"
      isOpen={isOpen}
      confirmLabel="Renew the data key"
      isBusy={renew.isPending}
      onConfirm={() => renew.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          Cards of this account are encrypted with a new key from now on; stored ones follow in the background. Nothing has to be done.
        </Box>
        {renew.error && <FailureNote failure={renew.error} />}
      </Box>
    </ConfirmDialog>
  );
}
