import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

import { isUnderOverlay } from './under-overlay.ts';

interface ScreenProps {
  readonly title: string;
  /** One line of facts below the title. */
  readonly facts?: ReactNode;
  /** Actions beside the title: the primary action, and text buttons. */
  readonly actions?: ReactNode;
  readonly filter?: ReactNode;
  /** The content takes what height is left and scrolls in itself. */
  readonly isFilling?: boolean;
  readonly children: ReactNode;
}

/** A page: title, one line of facts, filter bar, content. On a change of route the title has the focus, unless a field of the screen took it. */
export function Screen({ title, facts, actions, filter, isFilling = false, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Paydesk`;
    const holder = document.activeElement;
    const isTaken = isUnderOverlay() || (holder !== null && heading.current?.closest('main')?.contains(holder));
    if (!isTaken) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 4,
        px: { xs: 4, md: 6 },
        pt: 5,
        pb: isFilling ? 4 : 10,
        ...(isFilling && { height: '100%', minHeight: 420 }),
      }}
    >
      <Box component="header" sx={{ display: 'flex', alignItems: 'flex-start', gap: 4, flexWrap: 'wrap' }}>
        <Box sx={{ flex: 1, minWidth: 200 }}>
          <Typography variant="h1" ref={heading} tabIndex={-1}>
            {title}
          </Typography>
          {facts && (
            <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
              {facts}
            </Typography>
          )}
        </Box>
        {actions && <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>{actions}</Box>}
      </Box>
      {filter}
      {isFilling ? <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>{children}</Box> : children}
    </Box>
  );
}
