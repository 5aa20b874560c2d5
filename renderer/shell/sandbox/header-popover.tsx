import Popover from '@mui/material/Popover';
import type { ReactNode, RefObject } from 'react';

interface HeaderPopoverProps {
  /** Accessible name. */
  readonly label: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Panel below a button of the header. Esc closes it. */
export function HeaderPopover({ label, anchor, isOpen, onClose, children }: HeaderPopoverProps) {
  return (
    <Popover
      open={isOpen}
      anchorEl={() => anchor.current}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': label,
          sx: (theme) => ({ width: 428, p: 5, mt: 1, border: `1px solid ${theme.vars.palette.divider}` }),
        },
      }}
    >
      {children}
    </Popover>
  );
}
