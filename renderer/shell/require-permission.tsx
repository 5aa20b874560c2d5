import Link from '@mui/material/Link';
import { Outlet, Link as RouterLink, useLocation } from 'react-router';
import { t } from '#renderer/base/language';
import { EmptyState, Screen } from '#renderer/kit/ui';
import { roleName } from '#renderer/session/permissions';
import { useMay, useMe } from '#renderer/session/user';
import { SETTINGS_PAGES } from '#renderer/shared/settings-pages';
import { PAGES, useMayOpen } from './navigation/index.ts';

/** Shows a screen, or a page of Settings, to users who may see it. Other users get the reason, with a link to the first screen that they may see. */
export function RequirePermission({ permission }: { permission: string }) {
  const may = useMay();
  const { byPin, role } = useMe().user;
  const mayOpen = useMayOpen();
  const { pathname } = useLocation();
  const setting = SETTINGS_PAGES.find(({ path }) => path === pathname);
  if (may(permission) && (setting === undefined || mayOpen(setting))) return <Outlet />;
  if (byPin)
    return (
      <Screen title={t('No access')}>
        <EmptyState title={t('Sign in with your password to open this screen')}>
          {t('You took over this workstation with a PIN. Lock the screen, and unlock it with your password.')}
        </EmptyState>
      </Screen>
    );
  const page = setting ?? PAGES.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  const first = PAGES.find((each) => may(each.permission));
  const title = first
    ? t('Your role {{role}} can’t open {{page}}', { role: roleName(role), page: page?.name ?? t('this page') })
    : t('Your role has no screens');
  return (
    <Screen title={page?.name ?? t('No access')}>
      <EmptyState title={title}>
        {t('Ask an owner or administrator of your account for access.')}{' '}
        {first && (
          <Link component={RouterLink} to={first.path}>
            {t('Go to {{page}}', { page: first.name })}
          </Link>
        )}
      </EmptyState>
    </Screen>
  );
}
