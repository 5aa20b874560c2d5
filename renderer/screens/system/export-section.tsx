import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { t } from '#renderer/base/language';
import { FailureNote, MutedText, Section, showToast } from '#renderer/kit/ui';
import { saveExport } from './backup-queries.ts';

/** Export of the account's data for owners. */
export function ExportSection() {
  const saving = useMutation({ mutationFn: saveExport, onSuccess: () => showToast(t('Data exported')) });
  return (
    <Section title={t('Export data')}>
      <MutedText>
        {t(
          'All data of this account as JSON Lines in a .tar.gz file, with a folder per table and a manifest. Tokens are included; card numbers, passwords, keys and secrets are not. This is not a backup: you can’t restore from it.',
        )}
      </MutedText>
      <Box sx={{ mt: 3, display: 'grid', gap: 3, justifyItems: 'start' }}>
        <Button
          startIcon={<Download size={16} aria-hidden />}
          loading={saving.isPending}
          loadingPosition="start"
          onClick={() => !saving.isPending && saving.mutate()}
        >
          {t('Export data')}
        </Button>
        {saving.error && <FailureNote failure={saving.error} />}
      </Box>
    </Section>
  );
}
