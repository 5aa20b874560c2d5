import type { TransactionDetail } from '#renderer/base/client';
import type { Result } from './result-note.tsx';

/** Properties of the form of each operation. */
export interface ActionPanelProps {
  readonly transaction: TransactionDetail;
  readonly onResult: (result: Result) => void;
  readonly onClose: () => void;
}
