import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Copy } from 'lucide-react';
import { copyText } from '#renderer/ui';
import { notToTheRow } from './not-to-the-row.ts';

/** An id in a row of a table, with a button that copies it and does not open the row. */
export function IdCell({ id, what, tabIndex }: { id: string; what: string; tabIndex: 0 | -1 }) {
  return (
    <>
      <Box component="span" className="mono" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0 }}>
        {id}
      </Box>
      <IconButton
        size="small"
        tabIndex={tabIndex}
        title={`Copy ${what.toLowerCase()}`}
        aria-label={`Copy ${what.toLowerCase()} ${id}`}
        {...notToTheRow(() => void copyText(id, what))}
      >
        <Copy size={14} aria-hidden />
      </IconButton>
    </>
  );
}
