import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { showToast } from '#renderer/ui';
import { type CsvFile, saveCsv } from './save-csv.ts';

interface ExportCsvButtonProps {
  /** List whose rows are saved: all of the filter, not only the page on screen. */
  readonly file: CsvFile;
  /** Name of one row and of several, such as "entry" and "entries". */
  readonly names: readonly [one: string, several: string];
}

/** Saves a list as CSV. */
export function ExportCsvButton({ file, names: [one, several] }: ExportCsvButtonProps) {
  const { rows } = file;
  const saving = useMutation({
    mutationFn: () => saveCsv(file),
    onSuccess: (isSaved) => isSaved && showToast(`${rows.toLocaleString('en-US')} ${rows === 1 ? one : several} exported`),
    onError: ({ code }) => showToast(`The export failed (${code}). Try again.`),
  });
  return (
    <Button
      startIcon={<Download size={16} aria-hidden />}
      onClick={() => saving.mutate()}
      loading={saving.isPending}
      loadingPosition="start"
      disabled={rows === 0}
    >
      Export CSV
    </Button>
  );
}
