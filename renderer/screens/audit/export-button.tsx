import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveCsv } from '#renderer/download';
import { showToast } from '#renderer/ui';
import { logQuery } from './queries.ts';
import { useLogFilter } from './use-log-filter.ts';

/** Saves every entry of the filter, not only the page on screen. */
export function ExportButton() {
  const { filter, page } = useLogFilter();
  const total = useQuery(logQuery(filter, page)).data?.total ?? 0;
  const saving = useMutation({
    mutationFn: () => saveCsv({ path: '/api/v1/audit-logs/export', query: filter, name: 'audit-log.csv', rows: total }),
    onSuccess: (isSaved) => isSaved && showToast(`${total.toLocaleString('en-US')} ${total === 1 ? 'entry' : 'entries'} exported`),
    onError: ({ code }) => showToast(`The export failed (${code}). Try again.`),
  });
  return (
    <Button
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
