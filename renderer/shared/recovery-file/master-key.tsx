import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient, takeData } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { ConfirmDialog, FactList, FailureNote, FormDialog, PasswordField, StatusChip, TimeText, useSubmit } from '#renderer/kit/ui';
import { withCode } from '#renderer/session/confirmation';
import { useMay, useMerchant } from '#renderer/session/user';
import { RecoveryDialog } from './recovery-dialog.tsx';
import { type KeyState, keysQuery } from './requests.ts';

const STORAGE_LABELS: Readonly<Record<KeyState['keptIn'], string>> = {
  file: t('A key file that only its owner can read'),
  keychain: t('This computer’s keyring'),
  passphrase: t('Encrypted with the passphrase that is entered at each start'),
  memory: t('Outside of Paydesk'),
};

/** State of the encryption keys, with actions to save the recovery file and rotate the keys. */
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
        {t('Encryption keys')}
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t(
          'Stored cards and bank accounts are encrypted with a data key of this account, and all data keys with one master key. Without the master key, the stored cards are lost. The recovery file restores the master key.',
        )}
      </Box>
      <FactList
        facts={[
          [t('Stored in'), STORAGE_LABELS[state.keptIn]],
          [
            t('Key'),
            <span key="id" className="mono">
              {state.keyId}
            </span>,
          ],
          [t('In use since'), state.since !== '' && <TimeText at={state.since} timeZone={timezone} />],
          [t('Recovery file'), <RecoveryState key="recovery" savedAt={saved} timeZone={timezone} />],
        ]}
      />
      {!state.mayChange && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Only an owner of the first account of this installation can save the recovery file and rotate the master key.')}
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button
          variant={saved === null ? 'contained' : 'outlined'}
          color="primary"
          disabled={!state.mayChange}
          onClick={() => setOpen('recovery')}
        >
          {saved === null ? t('Save recovery file') : t('Save another recovery file')}
        </Button>
        <Button variant="outlined" disabled={!state.mayChange || state.keptIn === 'memory'} onClick={() => setOpen('exchange')}>
          {t('Rotate master key')}
        </Button>
        <Button variant="outlined" disabled={!may('owner:keys')} onClick={() => setOpen('renew')}>
          {t('Rotate data key')}
        </Button>
      </Box>
      {isOpen === 'recovery' && <RecoveryDialog onClose={close} />}
      {isOpen === 'exchange' && <RotateMasterKeyDialog onClose={close} />}
      <RotateDataKeyDialog isOpen={isOpen === 'renew'} onClose={close} />
    </Box>
  );
}

function RecoveryState({ savedAt, timeZone }: { savedAt: string | null; timeZone: string }) {
  if (savedAt === null) return <StatusChip state="overdue" label={t('Not saved yet')} />;
  return <Trans i18nKey="Saved <0/>" components={[<TimeText key="0" at={savedAt} timeZone={timeZone} />]} />;
}

function RotateMasterKeyDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const rotation = useSubmit({
    send: () =>
      withCode((given) => takeData(api.POST('/api/v1/system/master-key/exchange', { body: { currentPassword: password, ...given } }))),
    toast: t('Master key rotated. Save its recovery file now.'),
    refreshFirst: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
    onClose,
  });
  return (
    <FormDialog
      {...rotation}
      failure={null}
      title={t('Rotate the master key?')}
      submitLabel={t('Rotate master key')}
      isDisabled={password === ''}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {t('Payments continue during the rotation. Afterwards, the current key and its recovery file no longer open this installation.')}
        </Box>
        <Alert severity="info" sx={{ alignItems: 'flex-start' }}>
          {t(
            'Other workstations on the same database: copy the new key to each of them and restart it. Until then they refuse to start. Keep the old recovery file as long as you keep backups from before the rotation: it opens them.',
          )}
        </Alert>
        <PasswordField
          id="exchange-password"
          label={t('Your password')}
          purpose="current-password"
          value={password}
          onValue={setPassword}
          autoFocus
        />
        {rotation.failure && (
          <FailureNote failure={rotation.failure}>
            {rotation.failure.field === 'currentPassword' ? rotation.failure.message : undefined}
          </FailureNote>
        )}
      </Box>
    </FormDialog>
  );
}

function RotateDataKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const rotation = useSubmit({
    send: () => takeData(api.POST('/api/v1/system/data-key/renew')),
    toast: t('Cards are now encrypted with a new data key.'),
    onClose,
  });
  return (
    <ConfirmDialog {...rotation} title={t('Rotate the data key?')} isOpen={isOpen} submitLabel={t('Rotate data key')}>
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {t(
            'New cards of this account are encrypted with a new key immediately. Stored cards are re-encrypted in the background. You don’t need to do anything.',
          )}
        </Box>
      </Box>
    </ConfirmDialog>
  );
}
