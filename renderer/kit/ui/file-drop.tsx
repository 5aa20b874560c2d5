import Box from '@mui/material/Box';
import Button, { type ButtonProps } from '@mui/material/Button';
import type { DragEvent, ReactNode, RefObject } from 'react';
import { t } from '#renderer/base/language';

interface FileDropProps {
  /** Accessible name of the file input. */
  readonly label: string;
  /** The hidden input; a click on it opens the dialog of the system. */
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly accept?: string;
  /** Properties of the button that opens the dialog. */
  readonly button?: ButtonProps;
  readonly fileName?: string | undefined;
  /** Files that can be dropped. */
  readonly hint: string;
  /** Reason why the chosen file cannot be used. */
  readonly problem?: string | undefined;
  readonly onFile: (file: File) => void;
  /** Content below. A file can be dropped on it too. */
  readonly children?: ReactNode;
}

/** Field of one file, which is chosen or dropped. The same file can be chosen again, after it was changed. */
export function FileDrop({ label, inputRef, accept, button, fileName, hint, problem, onFile, children }: FileDropProps) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const dropped = event.dataTransfer.files[0];
    if (dropped) onFile(dropped);
  };
  return (
    <Box onDragOver={(event) => event.preventDefault()} onDrop={drop} sx={{ display: 'grid', gap: 4 }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          flexWrap: 'wrap',
          gap: 3,
          p: 4,
          border: '1px dashed',
          borderColor: problem ? 'error.main' : 'outline',
          borderRadius: 1,
        }}
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
        <Button autoFocus onClick={() => inputRef.current?.click()} {...button}>
          {fileName === undefined ? t('Choose file') : t('Choose another file')}
        </Button>
        <Box sx={{ flex: 1, minWidth: 180, fontSize: 13, color: problem ? 'error.main' : 'text.secondary', overflowWrap: 'anywhere' }}>
          {problem ?? fileName ?? hint}
        </Box>
      </Box>
      {children}
    </Box>
  );
}
