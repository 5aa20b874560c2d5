import Button from '@mui/material/Button';
import { Printer } from 'lucide-react';
import { t } from '#renderer/base/language';
import { useShortcuts } from './shortcuts.tsx';

interface PrintButtonProps {
  /** Group of the list of keys. */
  readonly group: string;
  /** Label of the key, such as "Print the report". */
  readonly label: string;
  readonly isReady: boolean;
}

/** Prints the screen as a page: title and content, without navigation, in the light color scheme. */
export function PrintButton({ group, label, isReady }: PrintButtonProps) {
  const print = () => window.print();
  useShortcuts(group, isReady ? [{ keys: 'P', label, run: print }] : []);
  return (
    <Button startIcon={<Printer size={16} aria-hidden />} title="P" aria-keyshortcuts="P" disabled={!isReady} onClick={print}>
      {t('Print')}
    </Button>
  );
}
