import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiDialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type FormEvent, type ReactNode, type Ref, useId } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote } from './failure-note.tsx';
import { KeyLayer } from './shortcuts.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

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
  const container = useKeptFocus<HTMLDivElement>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <MuiDialog
      open={isOpen}
      onClose={onClose}
      maxWidth={maxWidth}
      fullWidth
      aria-labelledby={titleId}
      slotProps={{ container: { ref: container } }}
    >
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

interface FormDialogProps extends Pick<DialogProps, 'title' | 'onClose' | 'maxWidth' | 'children'> {
  /** Verb and object: "Void 45.00 USD". Absent while there is nothing to submit. */
  readonly submitLabel?: string | undefined;
  readonly submitRef?: Ref<HTMLButtonElement>;
  /** Label of the button that closes the dialog; by default Cancel, which is ambiguous if the operation itself cancels a record. */
  readonly cancelLabel?: string;
  readonly isDangerous?: boolean;
  /** True while the form is sent, in which Enter submits nothing. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Further buttons, before the one that submits. */
  readonly more?: ReactNode;
  /** True without fields: the main button gets the focus, so that Enter confirms. */
  readonly focusesSubmit?: boolean;
  /** Failure of the last attempt, below the fields. */
  readonly failure?: ApiFailure | null;
  readonly onSubmit: () => void;
}

/** An open dialog that is a form: Enter submits, Esc closes. */
export function FormDialog({
  submitLabel,
  submitRef,
  cancelLabel = t('Cancel'),
  isDangerous = false,
  isBusy = false,
  isDisabled = false,
  more,
  focusesSubmit = false,
  failure = null,
  children,
  onSubmit,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog
      {...dialog}
      isOpen
      onSubmit={() => !isBusy && !isDisabled && onSubmit()}
      actions={
        <>
          <Button variant="text" onClick={dialog.onClose}>
            {cancelLabel}
          </Button>
          {more}
          {submitLabel !== undefined && (
            <Button
              ref={submitRef}
              type="submit"
              variant="contained"
              color={isDangerous ? 'error' : 'primary'}
              loading={isBusy}
              disabled={isDisabled}
              autoFocus={focusesSubmit}
            >
              {submitLabel}
            </Button>
          )}
        </>
      }
    >
      {children}
      {failure && (
        <Box sx={{ mt: 4 }}>
          <FailureNote failure={failure} />
        </Box>
      )}
    </Dialog>
  );
}

/** Asks for confirmation of an operation that cannot be undone. */
export function ConfirmDialog({ isOpen, ...dialog }: Omit<FormDialogProps, 'maxWidth' | 'focusesSubmit'> & Pick<DialogProps, 'isOpen'>) {
  return isOpen && <FormDialog {...dialog} maxWidth="xs" focusesSubmit />;
}
