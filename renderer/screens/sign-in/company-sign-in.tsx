import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { FailureNote } from '#renderer/kit/ui';
import { beginCompanySignIn, companySignInsQuery } from '#renderer/session/user';

/** Texts of refusals, because the texts of the service are loaded after the sign-in only. */
const REASONS: Readonly<Record<string, string>> = {
  provider_down: t('The company’s sign-in provider doesn’t respond. Try again in a moment, or sign in with a password.'),
  canceled: t('The sign-in was canceled.'),
  expired: t('This sign-in has expired. Start it again.'),
  other_browser: t('This sign-in was started in another browser. Start it again here.'),
  no_role: t('None of your groups has a role in Paydesk. Ask an administrator.'),
  no_groups: t('The provider sent no groups. An administrator must add them to the application at the provider.'),
  too_many_groups: t('Your account has too many groups. An administrator must limit them at the provider.'),
  no_email: t('The provider sent no email address. An administrator must add it to the application at the provider.'),
  email_not_verified: t('The provider hasn’t verified your email address.'),
  email_in_use: t('A user with your email address exists already. An administrator must allow you to connect the company account.'),
  wrong_domain: t('This account doesn’t belong to the company.'),
};

/** Reason of a failed company sign-in. */
export function CompanyFailure({ failure }: { failure: ApiFailure }) {
  const { reason } = failure.details;
  const known = typeof reason === 'string' ? REASONS[reason] : undefined;
  if (known === undefined && failure.code !== 'INVALID_CREDENTIALS') return <FailureNote failure={failure} />;
  return (
    <Alert severity="error">{known ?? t('The provider’s answer isn’t valid, so nobody was signed in. Start the sign-in again.')}</Alert>
  );
}

/** One button for each account with a company sign-in; nothing if there is none. */
export function CompanySignIn() {
  const accounts = useQuery(companySignInsQuery).data ?? [];
  const { application } = useDesktop();
  const begin = useMutation({ mutationFn: (tenantId: string) => beginCompanySignIn(tenantId, application?.openProvider) });
  if (accounts.length === 0) return null;
  return (
    <>
      <Divider>{t('or')}</Divider>
      {begin.error && <CompanyFailure failure={begin.error} />}
      {begin.isPending && application && (
        <Alert severity="info">{t('Continue in your browser. Paydesk opens here when you’re signed in.')}</Alert>
      )}
      {accounts.map(({ tenantId, name }) => (
        <Button key={tenantId} variant="outlined" size="large" disabled={begin.isPending} onClick={() => begin.mutate(tenantId)}>
          {t('Sign in with {{name}}', { name })}
        </Button>
      ))}
    </>
  );
}
