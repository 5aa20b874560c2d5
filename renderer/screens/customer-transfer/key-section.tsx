import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransferKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, ConfirmDialog, CopyText, FailureNote, MutedText, Section, useSubmit } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { createKey, destroyKey, keysQuery, refreshTransfers } from './queries.ts';

/** Transfer keys: created here, downloaded for the provider, and destroyed. */
export function KeySection() {
  const keys = useQuery(keysQuery);
  const [name, setName] = useState('');
  const [toDestroy, setToDestroy] = useState<TransferKey>();
  const creating = useMutation({
    mutationFn: createKey,
    onSuccess: (key) => {
      setName('');
      void refreshTransfers();
      save(key);
      announce(t('The transfer key was created. Send the public key to the provider.'));
    },
  });
  const destroying = useSubmit({
    send: destroyKey,
    refresh: refreshTransfers,
    announcement: t('The transfer key was destroyed.'),
    onClose: () => setToDestroy(undefined),
  });
  const open = (keys.data ?? []).filter(({ destroyedAt }) => destroyedAt === null);
  return (
    <Section title={t('Keys for encrypted files')}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <MutedText>
          {t(
            'The earlier provider encrypts its file with the public key. The private key stays here and is destroyed at the end of the import.',
          )}
        </MutedText>
        {open.map((key) => (
          <Box key={key.transferKeyId} sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 3 }}>
            <Box sx={{ flex: 1, minWidth: 240, overflowWrap: 'anywhere' }}>
              {key.name}
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                {t('Fingerprint')} <CopyText text={key.fingerprint} label={t('Fingerprint')} />
              </Box>
            </Box>
            <Button onClick={() => save(key)}>{t('Download public key')}</Button>
            <Button variant="text" color="error" onClick={() => setToDestroy(key)}>
              {t('Destroy key')}
            </Button>
          </Box>
        ))}
        <Box
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!creating.isPending) creating.mutate(name.trim() || 'Transfer');
          }}
          sx={{ display: 'flex', alignItems: 'end', flexWrap: 'wrap', gap: 3 }}
        >
          <TextField
            id="transfer-key-name"
            label={t('Earlier provider')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
            sx={{ width: 240 }}
          />
          <Button type="submit" loading={creating.isPending}>
            {t('Create transfer key')}
          </Button>
        </Box>
        {creating.error && <FailureNote failure={creating.error} />}
      </Box>
      <ConfirmDialog
        {...destroying}
        isOpen={toDestroy !== undefined}
        title={t('Destroy this transfer key?')}
        submitLabel={t('Destroy key')}
        isDangerous
        onSubmit={() => toDestroy && destroying.onSubmit(toDestroy.transferKeyId)}
      >
        {t('Files that were encrypted for it can never be opened again.')}
      </ConfirmDialog>
    </Section>
  );
}

const save = ({ publicKey, fingerprint }: TransferKey) =>
  saveAs(new Blob([publicKey], { type: 'application/pgp-keys' }), `paydesk-${fingerprint.slice(-8)}.asc`);
