import type { Work } from '#core/database';
import type { ReceiptCopy } from './content.ts';
import { RECEIPT_PRINTS } from './schema.ts';

/** Counts a print of a copy of a transaction's or a refund's receipt; answers how many there are now. */
export async function countPrint(work: Work, subjectId: string, copy: ReceiptCopy): Promise<number> {
  const [row] = await work.all<{ n: number }>(
    `INSERT INTO receipt_prints (tenant_id, subject_id, copy, n) VALUES (:tenantId, :subjectId, :copy, 1)
     ON CONFLICT (tenant_id, subject_id, copy) DO UPDATE SET n = receipt_prints.n + 1 RETURNING n`,
    { subjectId, copy },
  );
  return row?.n ?? 1;
}

/** How often the copy was printed. */
export async function printsOf(read: Pick<Work, 'one'>, subjectId: string, copy: ReceiptCopy): Promise<number> {
  return (await read.one(RECEIPT_PRINTS, { subject_id: subjectId, copy }))?.n ?? 0;
}
