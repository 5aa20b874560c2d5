import type { Transaction } from '#renderer/client';
import type { Result } from './result-note.tsx';

/** What the form of each operation is given. */
export interface ActionPanelProps {
  readonly transaction: Transaction;
  readonly onResult: (result: Result) => void;
  readonly onClose: () => void;
}
