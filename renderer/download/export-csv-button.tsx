import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { t } from '#renderer/language';
import { showToast } from '#renderer/ui';
import { type CsvFile, saveCsv } from './save-csv.ts';

interface ExportCsvButtonProps {
  /** List whose rows are saved: all of the filter, not only the page on screen. */
  readonly file: CsvFile;
  /** Returns the message of a finished export, such as "12 entries exported". */
  readonly exported: (rows: number) => string;
}

/** Saves a list as CSV. */
export function ExportCsvButton({ file, exported }: ExportCsvButtonProps) {
  const { rows } = file;
  const saving = useMutation({
    mutationFn: () => saveCsv(file),
    onSuccess: (isSaved) => isSaved && showToast(exported(rows)),
    onError: ({ code }) => showToast(t('The export failed ({{code}}). Try again.', { code })),
  });
  return (
    <Button
      startIcon={<Download size={16} aria-hidden />}
      onClick={() => saving.mutate()}
      loading={saving.isPending}
      loadingPosition="start"
      disabled={rows === 0}
    >
      {t('Export CSV')}
    </Button>
  );
}
