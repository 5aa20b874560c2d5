import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { CopyText } from '#renderer/ui';
import type { RecoveryFile } from './requests.ts';

/** Instructions for a saved file, with the code that is shown only once. */
export function SavedNote({ made, onSaveAgain }: { made: RecoveryFile; onSaveAgain: () => void }) {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box>
        <span className="mono">{made.fileName}</span> was saved. Keep it off this computer: on a stick in a drawer, or in a password
        manager.{' '}
        <Button variant="text" size="small" onClick={onSaveAgain} sx={{ verticalAlign: 'baseline', minWidth: 0, px: 1 }}>
          Save it again
        </Button>
      </Box>
      {made.code === null ? (
        <Box>It opens with the passphrase that you chose, and with nothing else.</Box>
      ) : (
        <Alert severity="warning" icon={false} sx={{ '& .MuiAlert-message': { width: '100%' } }}>
          <Box sx={{ fontWeight: 600, mb: 1 }}>Its code, which is shown this once</Box>
          <Box sx={{ fontSize: 16 }}>
            <CopyText text={made.code} what="Code" />
          </Box>
          <Box sx={{ fontSize: 13, mt: 1 }}>Write it down, and keep it apart from the file: the two together open every stored card.</Box>
        </Alert>
      )}
    </Box>
  );
}
