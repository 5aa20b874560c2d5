import type { Ref } from 'react';

/** An action on a record. */
export interface RecordAction {
  readonly label: string;
  readonly run: () => void;
  readonly keys?: string | undefined;
  /** Effect or content, below the label in the menu. */
  readonly hint?: string;
  /** Reason why it is not possible now; undefined if it is. */
  readonly reason?: string | undefined;
  /** Ends or removes something, so it has no button of its own. */
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** True if the form of the action is open; undefined without a form. */
  readonly isOpen?: boolean | undefined;
}
