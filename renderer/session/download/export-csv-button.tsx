import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { t } from '#renderer/base/language';
import { showToast, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import type { ExportArea } from '#shared/permission-areas';
import { type CsvFile, saveCsv } from './save-csv.ts';

interface ExportCsvButtonProps {
  /** Area of the records, whose right to export the person needs to see the button. */
  readonly area: ExportArea;
  /** List whose rows are saved: all of the filter, not only the page on screen. */
  readonly file: CsvFile;
  /** Returns the message of a finished export, such as "12 entries exported". */
  readonly exported: (rows: number) => string;
}

/** Saves a list as CSV. Absent for people without the right to export. */
export function ExportCsvButton({ area, file, exported }: ExportCsvButtonProps) {
  const mayExport = useMay()(`${area}:export`);
  const { rows } = file;
  const saving = useMutation({
    mutationFn: () => saveCsv(file),
    onSuccess: (isSaved) => isSaved && showToast(exported(rows)),
    onError: ({ code }) => showToast(t('The export failed ({{code}}). Try again.', { code })),
  });
  useShortcuts(t('Export CSV'), mayExport && rows > 0 ? [{ keys: '', label: t('Export CSV'), run: () => saving.mutate() }] : []);
  if (!mayExport) return null;
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
