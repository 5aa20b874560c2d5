import { lit, queriesOn, TENANT, type Work } from '#core/database';
import type { ReceiptCopy } from './content.ts';
import { RECEIPT_PRINTS } from './schema.ts';

/** Counts a print of a copy of a receipt. Returns the new number of prints. */
export async function countPrint(work: Work, subjectId: string, copy: ReceiptCopy): Promise<number> {
  const row = await work.row(
    queriesOn(RECEIPT_PRINTS)
      .insertInto('receipt_prints')
      .values({ tenant_id: TENANT, subject_id: subjectId, copy, n: 1 })
      .onConflict((known) =>
        known.columns(['tenant_id', 'subject_id', 'copy']).doUpdateSet(({ eb }) => ({ n: eb('receipt_prints.n', '+', lit(1)) })),
      )
      .returning('n'),
  );
  return Number(row?.n ?? 1);
}

/** Returns the number of prints of the copy. */
export async function printsOf(read: Pick<Work, 'one'>, subjectId: string, copy: ReceiptCopy): Promise<number> {
  return (await read.one(RECEIPT_PRINTS, { subject_id: subjectId, copy }))?.n ?? 0;
}
