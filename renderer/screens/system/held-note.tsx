import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { BackupOverview } from '#renderer/client';
import { ConfirmDialog, exactTime, FailureNote, showToast } from '#renderer/ui';
import { refreshBackups, resumeCharges } from './backup-queries.ts';

interface HeldNoteProps {
  readonly restored: NonNullable<BackupOverview['restored']>;
  readonly timezone: string;
  readonly mayChange: boolean;
}

/** Said after a restore, until an owner has looked: what was charged after the backup is not known here. */
export function HeldNote({ restored, timezone, mayChange }: HeldNoteProps) {
  const [isAsking, setAsking] = useState(false);
  const resume = useMutation({
    mutationFn: resumeCharges,
    onSuccess: async () => {
      setAsking(false);
      showToast('Automatic charges go on.');
      await refreshBackups();
    },
    onError: () => setAsking(false),
  });
  return (
    <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
      <strong>Automatic charges wait.</strong> This installation was restored from the backup of{' '}
      {exactTime(restored.backupCreatedAt, timezone)}. What was charged after it is not known here: subscriptions are not billed and
      declined refunds not retried until an owner lets them go on. Compare with the processor first, under{' '}
      <Link component={RouterLink} to="/reconciliation" underline="always">
        Reconciliation
      </Link>
      .
      {resume.error && (
        <Box sx={{ mt: 3 }}>
          <FailureNote failure={resume.error} />
        </Box>
      )}
      {mayChange && (
        <Box sx={{ mt: 3 }}>
          <Button onClick={() => setAsking(true)}>Let charges go on</Button>
        </Box>
      )}
      <ConfirmDialog
        title="Let automatic charges go on?"
        isOpen={isAsking}
        confirmLabel="Let them go on"
        isBusy={resume.isPending}
        onConfirm={() => resume.mutate()}
        onClose={() => setAsking(false)}
      >
        Everything that fell due since the backup is charged now. A subscription that was billed after the backup was made would be billed
        twice.
      </ConfirmDialog>
    </Alert>
  );
}
