import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { PaymentQuery } from '#renderer/client';
import { saveCsv } from '#renderer/download';
import { showToast } from '#renderer/ui';

/** Saves the whole filter, not only the page on screen. */
export function ExportButton({ query, total }: { query: PaymentQuery; total: number }) {
  const saving = useMutation({
    mutationFn: () => saveCsv({ path: '/api/v1/payments/export', query, name: 'transactions.csv', rows: total }),
    onSuccess: (isSaved) => isSaved && showToast(`${total.toLocaleString('en-US')} transactions exported`),
    onError: () => showToast('The export failed. Try again.'),
  });
  return (
    <Button
      variant="outlined"
      startIcon={<Download size={16} aria-hidden />}
      onClick={() => saving.mutate()}
      loading={saving.isPending}
      loadingPosition="start"
      disabled={total === 0}
    >
      Export CSV
    </Button>
  );
}
