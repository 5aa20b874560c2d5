import Button from '@mui/material/Button';
import { Printer } from 'lucide-react';
import { KeyHint, useShortcuts } from '#renderer/ui';

/** Prints the report as a page: title, chart and table, without navigation, in the light color scheme. */
export function PrintButton({ isReady }: { isReady: boolean }) {
  const print = () => window.print();
  useShortcuts('Reports', isReady ? [{ keys: 'P', label: 'Print the report', run: print }] : []);
  return (
    <Button
      startIcon={<Printer size={16} aria-hidden />}
      endIcon={<KeyHint keys="P" />}
      aria-keyshortcuts="P"
      disabled={!isReady}
      onClick={print}
    >
      Print
    </Button>
  );
}
