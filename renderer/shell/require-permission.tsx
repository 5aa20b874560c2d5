import { Navigate, Outlet } from 'react-router';
import { t } from '#renderer/language';
import { useMay } from '#renderer/session';
import { EmptyState, Screen } from '#renderer/ui';
import { PAGES } from './pages.ts';

/** Shows a screen to users who may see it; others get the first screen that they may see. */
export function RequirePermission({ permission }: { permission: string }) {
  const may = useMay();
  if (may(permission)) return <Outlet />;
  const firstAllowed = PAGES.find((page) => may(page.permission));
  if (firstAllowed) return <Navigate to={firstAllowed.path} replace />;
  return (
    <Screen title={t('No access')}>
      <EmptyState title={t('Your role has no screens')}>{t('Ask an administrator for access.')}</EmptyState>
    </Screen>
  );
}
