import { integer, table, text } from '#core/database';

/** Number of prints of each copy of a receipt. From the second print on it is marked DUPLICATE. */
export const RECEIPT_PRINTS = table(
  'receipt_prints',
  {
    tenant_id: text,
    /** A transaction, or a refund. */
    subject_id: text,
    copy: text.of<'customer' | 'merchant'>(),
    n: integer,
  },
  { key: ['tenant_id', 'subject_id', 'copy'] },
);
