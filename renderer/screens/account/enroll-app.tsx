import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { CopyText, FormDialog, useSubmit } from '#renderer/kit/ui';
import { confirmApp, type Enrollment } from './requests.ts';

interface EnrollAppProps {
  readonly enrollment: Enrollment;
  readonly onEnrolled: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Shows the QR code of a new authenticator app and asks for its first code. */
export function EnrollApp({ enrollment, onEnrolled, onClose }: EnrollAppProps) {
  const [code, setCode] = useState('');
  const confirm = useSubmit({ send: () => confirmApp(code), onDone: onEnrolled, onClose });
  const isCodeWrong = confirm.failure?.field === 'code';
  return (
    <FormDialog
      {...confirm}
      failure={isCodeWrong ? null : confirm.failure}
      title={t('Set up an authenticator app')}
      submitLabel={t('Turn on')}
      isDisabled={code.trim() === ''}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>{t('Scan this code with your authenticator app, then enter the six digits that the app shows.')}</Box>
        <Box
          component="img"
          src={enrollment.qrCode}
          alt={t('QR code for the authenticator app')}
          sx={{ width: 200, height: 200, justifySelf: 'center', borderRadius: 1, imageRendering: 'pixelated' }}
        />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t("Can't scan it? Enter this key in the app:")}
          <Box>
            <CopyText text={enrollment.secret} label={t('Key')} />
          </Box>
        </Box>
        <TextField
          id="app-code"
          label={t('Code')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          autoFocus
          error={isCodeWrong}
          helperText={isCodeWrong ? confirm.failure?.message : t('Six digits')}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'one-time-code', className: 'mono', maxLength: 20 } }}
        />
      </Box>
    </FormDialog>
  );
}
