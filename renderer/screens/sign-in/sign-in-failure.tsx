import Alert from '@mui/material/Alert';
import type { ApiFailure } from '#renderer/client';
import { t } from '#renderer/language';
import { FailureNote } from '#renderer/ui';

/** Reason of a failed sign-in. Wrong credentials and a locked account have the same text. */
export function SignInFailure({ failure }: { failure: ApiFailure }) {
  if (failure.code !== 'INVALID_CREDENTIALS') return <FailureNote failure={failure} />;
  return (
    <Alert severity="error">
      {t('The email address or the password is wrong. After ten failed attempts, the user is locked for 30 minutes.')}
    </Alert>
  );
}
