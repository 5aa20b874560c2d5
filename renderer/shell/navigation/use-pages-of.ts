import { useMay, useMe } from '#renderer/session/user';
import type { Area } from './pages.ts';

/** Returns a function that returns the groups of an area with the pages that the user may open. */
export function usePagesOf(): (area: Area) => Area['groups'] {
  const may = useMay();
  const { user } = useMe();
  return ({ groups }) =>
    groups
      .filter(({ permission }) => permission === undefined || may(permission))
      .map((group) => ({
        ...group,
        pages: group.pages.filter(
          ({ path, permission, isOfAccount = false }) =>
            may(permission) && (!isOfAccount || user.merchantId === null) && (!path.startsWith('/settings/') || may('merchants:read')),
        ),
      }))
      .filter(({ pages }) => pages.length > 0);
}
