import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, PasswordField } from '#renderer/kit/ui';
import { useQuestion } from './with-confirmation.ts';

/** The dialog that asks for the password, or a code of the authenticator app, before a sensitive change. Mounted once, in the shell. */
export function ConfirmationPrompt() {
  const question = useQuestion((state) => state.question);
  if (!question) return null;
  return <Prompt {...question} />;
}

type PromptProps = NonNullable<ReturnType<typeof useQuestion.getState>['question']>;

function Prompt({ needsPassword, needsCode, operation, refusal, answer }: PromptProps) {
  const [currentPassword, setPassword] = useState('');
  const [currentCode, setCode] = useState('');
  const isComplete = (!needsPassword || currentPassword !== '') && (!needsCode || currentCode.trim() !== '');
  const messageAt = (field: string) => (refusal?.field === field ? refusal.message : undefined);
  return (
    <FormDialog
      title={needsPassword ? t('Confirm with your password') : t('Confirm with a code')}
      submitLabel={t('Confirm')}
      isDisabled={!isComplete}
      onSubmit={() => isComplete && answer({ currentPassword, ...(needsCode && { currentCode }) })}
      onClose={() => answer(null)}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        {operation !== null && <Box sx={{ fontWeight: 600 }}>{operation}</Box>}
        <Box>
          {operation === null
            ? t('This change affects access, the whole installation, or where passwords, codes or money are sent.')
            : t('You signed in more than 15 minutes ago. Enter your password again to make this change.')}
        </Box>
        {needsPassword && (
          <PasswordField
            id="confirm-password"
            label={t('Your password')}
            purpose="current-password"
            value={currentPassword}
            onValue={setPassword}
            autoFocus
            error={messageAt('currentPassword') !== undefined}
            helperText={messageAt('currentPassword')}
          />
        )}
        {needsCode && (
          <TextField
            id="confirm-code"
            label={t('Code from your authenticator app')}
            value={currentCode}
            onChange={(event) => setCode(event.target.value)}
            autoFocus={!needsPassword}
            error={messageAt('currentCode') !== undefined}
            helperText={messageAt('currentCode') ?? t('Six digits, or a recovery code')}
            slotProps={{ htmlInput: { autoComplete: 'one-time-code', className: 'mono', maxLength: 20 } }}
          />
        )}
      </Box>
    </FormDialog>
  );
}
