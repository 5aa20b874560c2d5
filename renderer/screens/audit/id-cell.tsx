import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Copy } from 'lucide-react';
import { copyLabel, copyText } from '#renderer/kit/ui';
import { stopRowEvents } from './stop-row-events.ts';

/** An ID in a table row, with a button that copies it without opening the row. */
export function IdCell({ id, label, tabIndex }: { id: string; label: string; tabIndex: 0 | -1 }) {
  return (
    <>
      <Box component="span" className="mono" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0 }}>
        {id}
      </Box>
      <IconButton
        size="small"
        tabIndex={tabIndex}
        title={copyLabel(label)}
        aria-label={`${copyLabel(label)} ${id}`}
        {...stopRowEvents(() => void copyText(id, label))}
      >
        <Copy size={14} aria-hidden />
      </IconButton>
    </>
  );
}
