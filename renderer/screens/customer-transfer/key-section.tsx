import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransferKey } from '#renderer/client';
import { saveAs } from '#renderer/download';
import { announce, ConfirmDialog, CopyText, FailureNote, MutedText, Section } from '#renderer/ui';
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
      announce('The transfer key was created. Send the public key to the provider.');
    },
  });
  const destroying = useMutation({
    mutationFn: destroyKey,
    onSuccess: () => {
      setToDestroy(undefined);
      void refreshTransfers();
      announce('The transfer key was destroyed.');
    },
  });
  const open = (keys.data ?? []).filter(({ destroyedAt }) => destroyedAt === null);
  return (
    <Section title="1. Transfer key">
      <Box sx={{ display: 'grid', gap: 3 }}>
        <MutedText>
          The earlier provider encrypts its file with the public key. The private key stays here and is destroyed at the end of the import.
        </MutedText>
        {open.map((key) => (
          <Box key={key.transferKeyId} sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 3 }}>
            <Box sx={{ flex: 1, minWidth: 240, overflowWrap: 'anywhere' }}>
              {key.name}
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                Fingerprint <CopyText text={key.fingerprint} label="fingerprint" />
              </Box>
            </Box>
            <Button onClick={() => save(key)}>Download public key</Button>
            <Button variant="text" color="error" onClick={() => setToDestroy(key)}>
              Destroy key
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
            label="Earlier provider"
            value={name}
            onChange={({ target }) => setName(target.value)}
            slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
            sx={{ width: 240 }}
          />
          <Button type="submit" loading={creating.isPending}>
            Create transfer key
          </Button>
        </Box>
        {creating.error && <FailureNote failure={creating.error} />}
      </Box>
      <ConfirmDialog
        isOpen={toDestroy !== undefined}
        title="Destroy this transfer key?"
        confirmLabel="Destroy key"
        isDangerous
        isBusy={destroying.isPending}
        onConfirm={() => toDestroy && destroying.mutate(toDestroy.transferKeyId)}
        onClose={() => setToDestroy(undefined)}
      >
        Files that were encrypted for it can never be opened again.
        {destroying.error && <FailureNote failure={destroying.error} />}
      </ConfirmDialog>
    </Section>
  );
}

const save = ({ publicKey, fingerprint }: TransferKey) =>
  saveAs(new Blob([publicKey], { type: 'application/pgp-keys' }), `paydesk-${fingerprint.slice(-8)}.asc`);
