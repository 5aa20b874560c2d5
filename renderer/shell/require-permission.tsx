import { Navigate, Outlet } from 'react-router';
import { t } from '#renderer/base/language';
import { EmptyState, Screen } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { PAGES } from './pages.ts';

/** Shows a screen to users who may see it; others get the first screen that they may see. */
export function RequirePermission({ permission }: { permission: string }) {
  const may = useMay();
  const { byPin } = useMe().user;
  if (may(permission)) return <Outlet />;
  if (byPin)
    return (
      <Screen title={t('No access')}>
        <EmptyState title={t('Sign in with your password to open this screen')}>
          {t('You took over this workstation with a PIN. Lock the screen, and unlock it with your password.')}
        </EmptyState>
      </Screen>
    );
  const firstAllowed = PAGES.find((page) => may(page.permission));
  if (firstAllowed) return <Navigate to={firstAllowed.path} replace />;
  return (
    <Screen title={t('No access')}>
      <EmptyState title={t('Your role has no screens')}>{t('Ask an administrator for access.')}</EmptyState>
    </Screen>
  );
}
