import { useMay, useMe } from '#renderer/session/user';
import type { Area, SubPage } from './pages.ts';

/** Returns a function that returns true for a page that the user may open. */
export function useMayOpen(): (page: SubPage) => boolean {
  const may = useMay();
  const { user } = useMe();
  return ({ path, permission, isOfAccount = false }) =>
    may(permission) && (!isOfAccount || user.merchantId === null) && (!path.startsWith('/settings/') || may('merchants:read'));
}

/** Returns a function that returns the groups of an area with the pages that the user may open. */
export function usePagesOf(): (area: Area) => Area['groups'] {
  const may = useMay();
  const mayOpen = useMayOpen();
  return ({ groups }) =>
    groups
      .filter(({ permission }) => permission === undefined || may(permission))
      .map((group) => ({ ...group, pages: group.pages.filter(mayOpen) }))
      .filter(({ pages }) => pages.length > 0);
}
