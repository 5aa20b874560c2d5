import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { CodeBlock, copyText, Dialog } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <Dialog
      title={t('Save your recovery codes')}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <>
          <Button variant="outlined" onClick={() => void copyText(text, t('Recovery codes'))}>
            {t('Copy codes')}
          </Button>
          <Button variant="outlined" onClick={() => saveAs(new Blob([`${text}\n`], { type: 'text/plain' }), 'paydesk-recovery-codes.txt')}>
            {t('Save as file')}
          </Button>
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            {t('I’ve saved the codes')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="warning">{t('These codes are shown once. Store them separately from your phone.')}</Alert>
        <Box>{t('If you don’t have your phone, enter one of them instead of the code. Each code works once.')}</Box>
        <CodeBlock label={t('Recovery codes')} text={text} />
      </Box>
    </Dialog>
  );
}
