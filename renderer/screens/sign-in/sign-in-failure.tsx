import Alert from '@mui/material/Alert';
import type { ApiFailure } from '#renderer/client';
import { FailureNote } from '#renderer/ui';

/** Why the sign-in failed. Wrong credentials and a locked account read the same. */
export function SignInFailure({ failure }: { failure: ApiFailure }) {
  if (failure.code !== 'INVALID_CREDENTIALS') return <FailureNote failure={failure} />;
  return (
    <Alert severity="error">
      The e-mail address or the password is not right. After ten wrong tries an account is locked for 30 minutes.
    </Alert>
  );
}
