import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { createStore } from '#renderer/base/module-state';
import { useMe } from '#renderer/session/user';

const RECENT_MAX = 6;

/** Paths that were opened last, newest first, per user. Search texts are not stored. */
const useRecent = createStore<{ readonly userId: string | null; readonly paths: readonly string[] }>()(() => ({ userId: null, paths: [] }));

/** Records each page that is opened. Used once, in the shell. */
export function useRecentPagesRecorder(): void {
  const { pathname } = useLocation();
  const { user } = useMe();
  useEffect(() => {
    if (pathname === '/') return;
    useRecent.setState(({ userId, paths }) => {
      const known = userId === user.userId ? paths : [];
      return { userId: user.userId, paths: [pathname, ...known.filter((path) => path !== pathname)].slice(0, RECENT_MAX) };
    });
  }, [pathname, user.userId]);
}

/** Returns the paths that the user opened before the current one, newest first. */
export function useRecentPages(): readonly string[] {
  const { pathname } = useLocation();
  return useRecent(({ paths }) => paths).filter((path) => path !== pathname);
}
