import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { t } from '#renderer/base/language';
import { KeyHint, showToast, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';

interface ExportButtonProps {
  /** Text of the key in the list of keys. */
  readonly label: string;
  readonly isReady: boolean;
  /** Saves the file. Returns the notice of success; undefined if the person canceled. */
  readonly save: () => Promise<string | undefined>;
}

/** Saves a report as CSV. Absent for people without the right to export. */
export function ExportButton({ label, isReady, save }: ExportButtonProps) {
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (notice) => notice !== undefined && showToast(notice),
    onError: () => showToast(t('The export failed. Try again.')),
  });
  const mayExport = useMay()('reporting:export');
  const run = () => {
    if (isReady && !saving.isPending) saving.mutate();
  };
  useShortcuts(t('Reports'), isReady && mayExport ? [{ keys: 'X', label, run }] : []);
  if (!mayExport) return null;
  return (
    <Button
      startIcon={<Download size={16} aria-hidden />}
      endIcon={<KeyHint keys="X" />}
      aria-keyshortcuts="X"
      loading={saving.isPending}
      loadingPosition="start"
      disabled={!isReady}
      onClick={run}
    >
      {t('Export CSV')}
    </Button>
  );
}
