import Button, { type ButtonProps } from '@mui/material/Button';
import { keyLabel } from '#renderer/kit/ui';
import type { RecordAction } from './record-action.ts';

interface ActionButtonProps extends Pick<ButtonProps, 'tabIndex' | 'size'> {
  readonly action: RecordAction;
  readonly isPrimary?: boolean;
}

/** Button of an action. Its key is a tooltip; the list of keys and the command palette show it, too. */
export function ActionButton({ action, isPrimary = false, ...button }: ActionButtonProps) {
  const { label, keys, reason, run, isBusy = false, isOpen, buttonRef } = action;
  return (
    <Button
      {...button}
      {...(buttonRef && { ref: buttonRef })}
      {...(isPrimary && { variant: 'contained', color: 'primary' })}
      onClick={run}
      loading={isBusy}
      disabled={reason !== undefined}
      title={reason ?? (keys && keyLabel(keys))}
      aria-keyshortcuts={keys}
      aria-expanded={isOpen}
    >
      {label}
    </Button>
  );
}
