import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { CopyText } from '#renderer/ui';
import type { RecoveryFile } from './requests.ts';

/** Instructions for a saved file, with the code that is shown only once. */
export function SavedNote({ file, onSaveAgain }: { file: RecoveryFile; onSaveAgain: () => void }) {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box>
        <span className="mono">{file.fileName}</span> was saved. Store it somewhere other than this computer, such as a USB drive or a
        password manager.{' '}
        <Button variant="text" size="small" onClick={onSaveAgain} sx={{ verticalAlign: 'baseline', minWidth: 0, px: 1 }}>
          Save it again
        </Button>
      </Box>
      {file.code === null ? (
        <Box>Only the passphrase that you chose opens it.</Box>
      ) : (
        <Alert severity="warning" icon={false} sx={{ '& .MuiAlert-message': { width: '100%' } }}>
          <Box sx={{ fontWeight: 600, mb: 1 }}>Recovery code, shown only once</Box>
          <Box sx={{ fontSize: 16 }}>
            <CopyText text={file.code} label="Code" />
          </Box>
          <Box sx={{ fontSize: 13, mt: 1 }}>
            Write it down and store it separately from the file: together they decrypt all stored cards.
          </Box>
        </Alert>
      )}
    </Box>
  );
}
