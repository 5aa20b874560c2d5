import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { BackupOverview } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { ConfirmDialog, FailureNote, fullTime, useSubmit } from '#renderer/kit/ui';
import { refreshBackups, resumeCharges } from './backup-queries.ts';

interface PausedChargesNoteProps {
  readonly restored: NonNullable<BackupOverview['restored']>;
  readonly timezone: string;
  readonly mayChange: boolean;
}

/** Note that automatic charges are paused after a restore, because charges made after the backup are not known here. */
export function PausedChargesNote({ restored, timezone, mayChange }: PausedChargesNoteProps) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const resume = useSubmit({
    send: resumeCharges,
    refresh: refreshBackups,
    toast: t('Automatic charges resumed.'),
    onClose: close,
    onFailure: close,
  });
  return (
    <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
      <strong>{t('Automatic charges are paused.')}</strong>{' '}
      <Trans
        i18nKey="This installation was restored from the backup of {{time}}. Charges made after it are not known here, so subscriptions aren’t billed and declined refunds aren’t retried until an owner resumes them. First compare with the processor in <0>Reconciliation</0>."
        components={[<Link key="0" component={RouterLink} to="/reconciliation" underline="always" />]}
        values={{ time: fullTime(restored.backupCreatedAt, timezone) }}
      />
      {resume.failure && (
        <Box sx={{ mt: 3 }}>
          <FailureNote failure={resume.failure} />
        </Box>
      )}
      {mayChange && (
        <Box sx={{ mt: 3 }}>
          <Button onClick={() => setAsking(true)}>{t('Resume charges')}</Button>
        </Box>
      )}
      <ConfirmDialog {...resume} failure={null} title={t('Resume automatic charges?')} isOpen={isAsking} submitLabel={t('Resume charges')}>
        {t('Everything due since the backup is charged now. Subscriptions that were billed after the backup are billed twice.')}
      </ConfirmDialog>
    </Alert>
  );
}
