import Box from '@mui/material/Box';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { clearRemainingSetup, startSession, useRemainingSetup, useSession } from '#renderer/session';
import { APP_ID } from '#renderer/theme';
import { FailureNote, Lazy, useShortcutListener } from '#renderer/ui';
import { fetchScreensAhead, router } from './routes.tsx';

const fetchFirstRunScreen = async () => (await import('#renderer/screens/first-run')).FirstRunScreen;
const fetchRemainingSteps = async () => (await import('#renderer/screens/first-run')).RemainingSteps;
const fetchSignInScreen = async () => (await import('#renderer/screens/sign-in')).SignInScreen;
const fetchSetPasswordScreen = async () => (await import('#renderer/screens/sign-in')).SetPasswordScreen;
const fetchLockScreen = async () => (await import('#renderer/screens/sign-in')).LockScreen;

/** Returns the token if the page was opened by a link to set a password. */
function passwordToken(): string | undefined {
  const [path, query] = location.hash.split('?');
  return path === '#/set-password' ? (new URLSearchParams(query).get('token') ?? '') : undefined;
}

/** Decides what a visitor sees: the first run, the sign-in, or the product with the lock screen over it. */
export function Gate() {
  const state = useSession((session) => session.state);
  useShortcutListener();
  const [token, setToken] = useState(passwordToken);
  const remaining = useRemainingSetup();
  useEffect(() => void startSession(), []);
  // The token must not stay in the address, where a screenshot or the history would keep it.
  useEffect(() => {
    if (token !== undefined) history.replaceState(null, '', '#/');
  }, [token]);
  if (token !== undefined && state.phase !== 'starting') {
    return <Lazy load={fetchSetPasswordScreen} props={{ token, onDone: () => setToken(undefined) }} />;
  }
  switch (state.phase) {
    case 'starting':
      return null;
    case 'unreachable':
      return (
        <Box component="main" sx={{ maxWidth: 560, mx: 'auto', pt: 30, px: 4 }}>
          <FailureNote failure={state.failure} onRetry={() => void startSession()} />
        </Box>
      );
    case 'first-run':
      return <Lazy load={fetchFirstRunScreen} props={{}} />;
    case 'signed-out':
      return <Lazy load={fetchSignInScreen} props={{}} />;
    default:
      // A reload during the first run continues there.
      if (state.phase === 'signed-in' && remaining?.email === state.me.user.email) {
        return <Lazy load={fetchRemainingSteps} props={{ remaining, onDone: async () => clearRemainingSetup() }} />;
      }
      return <Application isLocked={state.phase === 'locked'} userId={state.me.user.userId} />;
  }
}

/** The product. While it is locked, its state stays, including unfinished forms, but it is hidden and inert. */
function Application({ isLocked, userId }: { isLocked: boolean; userId: string }) {
  const focused = useRef<Element>(null);
  useEffect(fetchScreensAhead, []);
  // Runs before the browser removes the focus from an inert element, and as soon as it is no longer inert.
  useLayoutEffect(() => {
    if (isLocked) focused.current = document.activeElement;
    else if (focused.current instanceof HTMLElement) focused.current.focus();
  }, [isLocked]);
  return (
    <>
      <Box key={userId} id={APP_ID} inert={isLocked} sx={{ height: '100%', visibility: isLocked ? 'hidden' : 'visible' }}>
        <Box sx={{ height: '100%' }}>
          {/* Without React transitions: after a key closes a dialog, the next key must reach the page. */}
          <RouterProvider router={router} useTransitions={false} />
        </Box>
      </Box>
      {isLocked && <Lazy load={fetchLockScreen} props={{}} />}
    </>
  );
}
