import { table } from '#core/database';

/** How often a copy of a receipt was printed: the second one says DUPLICATE (experience 1.2). */
export interface ReceiptPrintRow {
  tenant_id: string;
  /** A transaction, or a refund. */
  subject_id: string;
  copy: 'customer' | 'merchant';
  n: number;
}

export const RECEIPT_PRINTS = table<ReceiptPrintRow>(
  'receipt_prints',
  { tenant_id: 'text', subject_id: 'text', copy: 'text', n: 'integer' },
  { key: ['tenant_id', 'subject_id', 'copy'] },
);
