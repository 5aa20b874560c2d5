import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useRef } from 'react';
import { t } from '#renderer/base/language';

interface FileFieldProps {
  readonly name: string | undefined;
  readonly problem: string | undefined;
  readonly onFile: (file: File) => void;
}

/** Selection of a file, which can also be dropped. */
export function FileField({ name, problem, onFile }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        p: 4,
        border: `1px dashed ${problem ? theme.vars.palette.error.main : theme.vars.palette.outline}`,
        borderRadius: 1,
      })}
    >
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,text/csv"
        aria-label={t('Processor file')}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file may be chosen again, after it was changed.
          target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button onClick={() => input.current?.click()} autoFocus>
        {name === undefined ? t('Choose file') : t('Choose another file')}
      </Button>
      <Box sx={{ flex: 1, minWidth: 180, fontSize: 13, color: problem ? 'error.main' : 'text.secondary', overflowWrap: 'anywhere' }}>
        {problem ?? name ?? t('Or drop a CSV file with a header row here.')}
      </Box>
    </Box>
  );
}
