import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveAs } from '#renderer/download';
import { showToast } from '#renderer/ui';
import { csvOf } from './csv.ts';
import { entriesForFile, logQuery } from './queries.ts';
import { useLogFilter } from './use-log-filter.ts';

const FILE_NAME = 'audit-log.csv';

/** Saves what the filter names, not only the page on screen. */
export function ExportButton() {
  const { filter, page } = useLogFilter();
  const { data } = useQuery(logQuery(filter, page));
  const saving = useMutation({
    mutationFn: () => entriesForFile(filter),
    onSuccess: ({ entries, total }) => {
      saveAs(new Blob([csvOf(entries)], { type: 'text/csv;charset=utf-8' }), FILE_NAME);
      const saved = entries.length.toLocaleString('en-US');
      showToast(
        entries.length < total
          ? `The newest ${saved} of ${total.toLocaleString('en-US')} entries exported. Narrow the filter for the rest.`
          : `${saved} ${entries.length === 1 ? 'entry' : 'entries'} exported`,
      );
    },
    onError: ({ code }) => showToast(`The export failed (${code}). Try again.`),
  });
  return (
    <Button
      startIcon={<Download size={16} aria-hidden />}
      onClick={() => saving.mutate()}
      loading={saving.isPending}
      loadingPosition="start"
      disabled={!data?.total}
    >
      Export CSV
    </Button>
  );
}
