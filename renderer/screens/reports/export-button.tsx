import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { api, takePage } from '#renderer/client';
import { saveCsv } from '#renderer/download';
import { KeyHint, showToast, useShortcuts } from '#renderer/ui';

interface ExportButtonProps {
  /** Filter of the transactions in the table. */
  readonly query: Readonly<Record<string, string>>;
  readonly isReady: boolean;
}

/** Saves the transactions of the table. */
export function ExportButton({ query, isReady }: ExportButtonProps) {
  const saving = useMutation({
    mutationFn: async () => {
      const { total } = await takePage(api.GET('/api/v1/reporting/transactions', { params: { query: { ...query, limit: 1 } } }));
      const isSaved = await saveCsv({ path: '/api/v1/reporting/export/transactions', query, name: nameOf(query), rows: total });
      return isSaved ? total : undefined;
    },
    onSuccess: (total) => total !== undefined && showToast(`${total.toLocaleString('en-US')} transactions exported`),
    onError: () => showToast('The export failed. Try again.'),
  });
  const save = () => {
    if (isReady && !saving.isPending) saving.mutate();
  };
  useShortcuts('Reports', isReady ? [{ keys: 'X', label: 'Export the transactions as CSV', run: save }] : []);
  return (
    <Button
      startIcon={<Download size={16} aria-hidden />}
      endIcon={<KeyHint keys="X" />}
      aria-keyshortcuts="X"
      loading={saving.isPending}
      loadingPosition="start"
      disabled={!isReady}
      onClick={save}
    >
      Export CSV
    </Button>
  );
}

/** "transactions 2026-11-01 to 2026-11-21.csv". */
function nameOf({ startDate, endDate, capturedFrom, capturedTo, refundedFrom, refundedTo }: ExportButtonProps['query']): string {
  return `transactions ${startDate ?? capturedFrom ?? refundedFrom} to ${endDate ?? capturedTo ?? refundedTo}.csv`;
}
