import Box from '@mui/material/Box';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { RouterProvider } from 'react-router/dom';
import { APP_ID } from '#renderer/base/theme';
import { Lazy } from '#renderer/kit/ui';
import { fetchScreensAhead, router } from './routes.tsx';

const fetchLockScreen = async () => (await import('#renderer/screens/sign-in')).LockScreen;

/** The product. While it is locked, its state stays, including unfinished forms, but it is hidden and inert. */
export function Product({ isLocked, userId }: { isLocked: boolean; userId: string }) {
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
