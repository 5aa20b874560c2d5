import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Trans, t } from '#renderer/base/language';
import { CopyText } from '#renderer/kit/ui';
import type { RecoveryFile } from './requests.ts';

/** Instructions for a saved file, with the code that is shown only once. */
export function SavedNote({ file, onSaveAgain }: { file: RecoveryFile; onSaveAgain: () => void }) {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box>
        <Trans
          i18nKey="<0>{{file}}</0> was saved. Store it somewhere other than this computer, such as a USB drive or a password manager."
          components={[<span key="0" className="mono" />]}
          values={{ file: file.fileName }}
        />{' '}
        <Button variant="text" size="small" onClick={onSaveAgain} sx={{ verticalAlign: 'baseline', minWidth: 0, px: 1 }}>
          {t('Save it again')}
        </Button>
      </Box>
      {file.code === null ? (
        <Box>{t('Only the passphrase that you chose opens it.')}</Box>
      ) : (
        <Alert severity="warning" icon={false} sx={{ '& .MuiAlert-message': { width: '100%' } }}>
          <Box sx={{ fontWeight: 600, mb: 1 }}>{t('Recovery code, shown only once')}</Box>
          <Box sx={{ fontSize: 16 }}>
            <CopyText text={file.code} label={t('Code')} />
          </Box>
          <Box sx={{ fontSize: 13, mt: 1 }}>
            {t('Write it down and store it separately from the file: together they decrypt all stored cards.')}
          </Box>
        </Alert>
      )}
    </Box>
  );
}
