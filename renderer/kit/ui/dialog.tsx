import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiDialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type FormEvent, type ReactNode, useId } from 'react';
import { t } from '#renderer/base/language';
import { KeyLayer } from './shortcuts.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Buttons, the primary one last. */
  readonly actions?: ReactNode;
  /** Makes the dialog a form: Enter submits. */
  readonly onSubmit?: () => void;
  readonly maxWidth?: 'xs' | 'sm' | 'md' | 'lg';
  readonly children: ReactNode;
}

/** A dialog for a confirmation or a form. Esc closes it; while it is open, the shortcuts of the page are disabled. */
export function Dialog({ title, isOpen, onClose, actions, onSubmit, maxWidth = 'sm', children }: DialogProps) {
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <MuiDialog open={isOpen} onClose={onClose} maxWidth={maxWidth} fullWidth aria-labelledby={titleId}>
      <KeyLayer isBlocking={isOpen}>
        <Box
          component={onSubmit ? 'form' : 'div'}
          onSubmit={onSubmit && submit}
          noValidate={onSubmit ? true : undefined}
          sx={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}
        >
          <DialogTitle id={titleId}>{title}</DialogTitle>
          <DialogContent>{children}</DialogContent>
          {actions && <DialogActions>{actions}</DialogActions>}
        </Box>
      </KeyLayer>
    </MuiDialog>
  );
}

interface DialogButtonsProps {
  /** Verb and object: "Void 45.00 USD". */
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  /** True if the main button gets the focus. */
  readonly autoFocus?: boolean;
  readonly onClose: () => void;
}

/** Buttons of a dialog that is a form: cancel and submit. */
export function DialogButtons({ label, isDangerous = false, isBusy, autoFocus = false, onClose }: DialogButtonsProps) {
  return (
    <>
      <Button variant="text" onClick={onClose}>
        {t('Cancel')}
      </Button>
      <Button type="submit" variant="contained" color={isDangerous ? 'error' : 'primary'} loading={isBusy} autoFocus={autoFocus}>
        {label}
      </Button>
    </>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Verb and object: "Void 45.00 USD". */
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for confirmation of an operation that cannot be undone. */
export function ConfirmDialog({
  title,
  isOpen,
  confirmLabel,
  isDangerous = false,
  isBusy = false,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={onConfirm}
      maxWidth="xs"
      actions={<DialogButtons label={confirmLabel} isDangerous={isDangerous} isBusy={isBusy} autoFocus onClose={onClose} />}
    >
      {children}
    </Dialog>
  );
}
