import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { KeyLayer } from './shortcuts.tsx';

interface SideDrawerProps {
  /** Accessible name. */
  readonly label: string;
  /** ID of the open record; undefined closes the drawer. */
  readonly openId: string | undefined;
  readonly onClose: () => void;
  /** Returns the focus to the list. Called when the drawer has disappeared, unless an element of the page or a dialog has the focus. */
  readonly onClosed?: (id: string) => void;
  /** `isOpen` is false while the drawer is closing. */
  readonly children: (id: string, isOpen: boolean) => ReactNode;
}

const WIDTH_PX = 480;
/** Width on a wide screen, where the list keeps its columns beside it. */
const WIDE_PX = 640;

/** Place above the record of the open drawer, for a bar of the page below, which the drawer makes inert; null without a drawer. */
export const useDrawerTop = createStore<{ readonly element: HTMLElement | null }>()(() => ({ element: null }));

/** Drawer with one record beside its list. The shortcuts of its content work while it is open. */
export function SideDrawer({ label, openId, onClose, onClosed, children }: SideDrawerProps) {
  const shownId = useLastDefined(openId);
  const paper = useRef<HTMLDivElement>(null);
  const returnFocus = () => {
    const holder = document.activeElement;
    const isTaken = !paper.current?.contains(holder) && holder?.closest('main, .MuiModal-root') != null;
    if (shownId && !isTaken) onClosed?.(shownId);
  };
  return (
    <Drawer
      anchor="right"
      open={openId !== undefined}
      onClose={onClose}
      disableRestoreFocus
      slotProps={{
        transition: { onExited: returnFocus },
        backdrop: { invisible: true },
        paper: {
          ref: paper,
          role: 'dialog',
          'aria-modal': true,
          'aria-label': label,
          sx: {
            width: { xs: '100%', sm: WIDTH_PX },
            '@media (min-width: 1440px)': { width: WIDE_PX },
            boxShadow: '-12px 0 32px rgb(8 14 20 / 0.14)',
          },
        },
      }}
    >
      <Box ref={(element: HTMLElement | null) => useDrawerTop.setState({ element })} sx={{ position: 'sticky', top: 0, zIndex: 1 }} />
      <KeyLayer isBlocking={false}>
        {shownId && (
          <Box
            key={shownId}
            sx={{
              position: 'relative',
              overflowWrap: 'anywhere',
              p: { xs: 5, md: 6 },
              // A failure instead of the record leaves room for the button.
              '& > button + .MuiAlert-root': { marginInlineEnd: 8 },
            }}
          >
            <IconButton aria-label={t('Close')} onClick={onClose} sx={{ position: 'absolute', top: 12, insetInlineEnd: 12 }}>
              <X size={18} aria-hidden />
            </IconButton>
            {children(shownId, openId !== undefined)}
          </Box>
        )}
      </KeyLayer>
    </Drawer>
  );
}

/** Returns the last defined value, so that a closing drawer does not become empty. */
function useLastDefined(value: string | undefined): string | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
