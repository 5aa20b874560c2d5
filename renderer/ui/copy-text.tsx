import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { Copy } from 'lucide-react';
import { showToast } from './toasts.tsx';

/** Copies text to the clipboard and confirms it. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied`);
  } catch {
    showToast('The browser did not allow copying');
  }
}

/** An id in fixed width with a button that copies it. */
export function CopyText({ text, what }: { text: string; what: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <Box component="span" className="mono" sx={{ overflowWrap: 'anywhere' }}>
        {text}
      </Box>
      <Tooltip title={`Copy ${what.toLowerCase()}`}>
        <IconButton size="small" aria-label={`Copy ${what.toLowerCase()}`} onClick={() => void copyText(text, what)}>
          <Copy size={14} aria-hidden />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
