import Alert from '@mui/material/Alert';
import type { ApiFailure } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { FailureNote } from '#renderer/kit/ui';

/** Reason of a failed sign-in. Wrong credentials and a locked user have the same text, unless the server names the lock after a right password. */
export function SignInFailure({ failure }: { failure: ApiFailure }) {
  if (failure.code !== 'INVALID_CREDENTIALS') return <FailureNote failure={failure} />;
  const { reason, lockedUntil } = failure.details;
  if (reason === 'company_sign_in_required')
    return <Alert severity="error">{t('This account requires the company sign-in. Passwords aren’t accepted.')}</Alert>;
  const isLocked = reason === 'locked' && typeof lockedUntil === 'string';
  return (
    <Alert severity="error">
      {isLocked
        ? t('After ten failed attempts, this user is locked until {{time}}. A new password also ends the lock.', {
            time: dateFormat({ hour: 'numeric', minute: '2-digit' }).format(new Date(lockedUntil)),
          })
        : t('The email address or the password is wrong. After ten failed attempts, the user is locked for 30 minutes.')}
    </Alert>
  );
}
