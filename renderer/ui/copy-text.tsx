import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { Copy } from 'lucide-react';
import { showToast } from './toasts.tsx';

/** Copies text to the clipboard and confirms it. */
export async function copyText(text: string, label: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${label} copied`);
  } catch {
    showToast('The browser blocked copying');
  }
}

/** A text in a monospaced font with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <Box component="span" className="mono" sx={{ overflowWrap: 'anywhere' }}>
        {text}
      </Box>
      <Tooltip title={`Copy ${label.toLowerCase()}`}>
        <IconButton size="small" aria-label={`Copy ${label.toLowerCase()}`} onClick={() => void copyText(text, label)}>
          <Copy size={14} aria-hidden />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
