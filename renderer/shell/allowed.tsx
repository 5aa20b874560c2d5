import { Navigate, Outlet } from 'react-router';
import { useMay } from '#renderer/session';
import { EmptyNote, Screen } from '#renderer/ui';
import { PAGES } from './pages.ts';

/** Shows a screen to users who may see it; others get the first screen that they may see. */
export function Allowed({ permission }: { permission: string }) {
  const may = useMay();
  if (may(permission)) return <Outlet />;
  const own = PAGES.find((page) => may(page.permission));
  if (own) return <Navigate to={own.path} replace />;
  return (
    <Screen title="Nothing to see here yet">
      <EmptyNote title="Your role has no screen">Ask an administrator for the permission you need.</EmptyNote>
    </Screen>
  );
}
