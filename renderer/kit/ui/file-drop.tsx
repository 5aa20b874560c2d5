import Box from '@mui/material/Box';
import type { DragEvent, ReactNode, RefObject } from 'react';

interface FileDropProps {
  /** Accessible name of the file input. */
  readonly label: string;
  /** The hidden input; a click on it opens the dialog of the system. */
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly accept?: string;
  /** The button that opens the dialog. */
  readonly button: ReactNode;
  /** Name of the chosen file, or what can be dropped. */
  readonly hint: ReactNode;
  readonly onFile: (file: File) => void;
  /** Content below. A file can be dropped on it too. */
  readonly children?: ReactNode;
}

/** Field of one file, which is chosen or dropped. The same file can be chosen again, after it was changed. */
export function FileDrop({ label, inputRef, accept, button, hint, onFile, children }: FileDropProps) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const dropped = event.dataTransfer.files[0];
    if (dropped) onFile(dropped);
  };
  return (
    <Box onDragOver={(event) => event.preventDefault()} onDrop={drop} sx={{ display: 'grid', gap: 4 }}>
      <Box
        sx={(theme) => ({
          display: 'flex',
          alignItems: 'center',
          flexWrap: 'wrap',
          gap: 3,
          p: 4,
          border: `1px dashed ${theme.vars.palette.outline}`,
          borderRadius: 1,
        })}
      >
        <input
          ref={inputRef}
          type="file"
          accept={accept}
          hidden
          aria-label={label}
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            target.value = '';
            if (chosen) onFile(chosen);
          }}
        />
        {button}
        <Box sx={{ flex: 1, minWidth: 180, fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>{hint}</Box>
      </Box>
      {children}
    </Box>
  );
}
