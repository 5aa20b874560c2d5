import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { Copy } from 'lucide-react';
import { t } from '#renderer/base/language';
import { AddressBreaks } from './address-breaks.tsx';
import { showToast } from './toasts.tsx';

/** Copies text to the clipboard and confirms it. */
export async function copyText(text: string, label: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(t('{{label}} copied', { label }));
  } catch {
    showToast(t('The browser blocked copying'));
  }
}

/** Returns the name of the button that copies a text: "Copy request ID". Abbreviations stay in capitals. */
export const copyLabel = (label: string): string =>
  t('Copy {{label}}', { label: /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label });

/** A text in a monospaced font with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <Box component="span" className="mono" sx={{ overflowWrap: 'anywhere' }}>
        <AddressBreaks text={text} />
      </Box>
      <Tooltip title={copyLabel(label)}>
        <IconButton size="small" aria-label={copyLabel(label)} onClick={() => void copyText(text, label)}>
          <Copy size={14} aria-hidden />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
