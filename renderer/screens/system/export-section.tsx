import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { FailureNote, Quiet, Section, showToast } from '#renderer/ui';
import { saveExport } from './backup-queries.ts';

/** Export of the account's data for owners. */
export function ExportSection() {
  const saving = useMutation({ mutationFn: saveExport, onSuccess: () => showToast('The data were exported') });
  return (
    <Section title="Take the data along">
      <Quiet>
        Everything that this account has, as JSON Lines in a .tar.gz: a folder per table and a manifest. Tokens stay; card numbers,
        passwords, keys and secrets are not in it. It is not a backup: nothing can be restored from it.
      </Quiet>
      <Box sx={{ mt: 3, display: 'grid', gap: 3, justifyItems: 'start' }}>
        <Button
          startIcon={<Download size={16} aria-hidden />}
          loading={saving.isPending}
          loadingPosition="start"
          onClick={() => !saving.isPending && saving.mutate()}
        >
          Export the data
        </Button>
        {saving.error && <FailureNote failure={saving.error} />}
      </Box>
    </Section>
  );
}
