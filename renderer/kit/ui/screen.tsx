import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { AddressBreaks } from './address-breaks.tsx';
import { ListContext, type ListHandle, type MenuRow } from './list-handle.ts';
import { NOT_PRINTED } from './not-printed.ts';
import { isUnderOverlay } from './under-overlay.ts';
import { VISUALLY_HIDDEN } from './visually-hidden.ts';

interface ScreenProps {
  readonly title: string;
  /** One line of text below the title. */
  readonly subtitle?: ReactNode;
  /** Actions beside the title: the primary action, and text buttons. */
  readonly actions?: ReactNode;
  readonly filter?: ReactNode;
  /** True if the content takes the remaining height and scrolls inside. */
  readonly fillsHeight?: boolean;
  /** True if the content covers the page; the title is for screen readers only. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}

/** A page with title, subtitle, filter bar and content. After a navigation the title gets the focus, unless a field of the screen took it. */
export function Screen({ title, subtitle, actions, filter, fillsHeight = false, isBare = false, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [list, setList] = useState<ListHandle | null>(null);
  const rowMenu = useRef<(row: MenuRow) => void>(null);
  const listOfScreen = useMemo(() => ({ list, setList, rowMenu }), [list]);
  useLayoutEffect(() => {
    document.title = `${title} · Paydesk`;
    const holder = document.activeElement;
    const isTaken = isUnderOverlay() || (holder !== null && heading.current?.closest('main')?.contains(holder));
    if (!isTaken) heading.current?.focus({ preventScroll: true });
  }, [title]);
  if (isBare)
    return (
      <>
        <Box component="h1" ref={heading} tabIndex={-1} sx={VISUALLY_HIDDEN}>
          {title}
        </Box>
        {children}
      </>
    );
  return (
    <ListContext value={listOfScreen}>
      <Box
        sx={{
          display: 'flex',
          flexDirection: 'column',
          gap: 4,
          px: { xs: 4, md: 6 },
          pt: 5,
          pb: fillsHeight ? 4 : 10,
          ...(fillsHeight && { height: '100%', minHeight: 420 }),
        }}
      >
        <Box component="header" sx={{ display: 'flex', alignItems: 'flex-start', gap: 4, flexWrap: 'wrap' }}>
          <Box sx={{ flex: 1, minWidth: 'min(100%, 280px)' }}>
            <Typography variant="h1" ref={heading} tabIndex={-1} sx={{ overflowWrap: 'anywhere' }}>
              <AddressBreaks text={title} />
            </Typography>
            {subtitle && (
              <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
                {subtitle}
              </Typography>
            )}
          </Box>
          {actions && <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap', ...NOT_PRINTED }}>{actions}</Box>}
        </Box>
        {filter}
        {fillsHeight ? <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 4 }}>{children}</Box> : children}
      </Box>
    </ListContext>
  );
}
