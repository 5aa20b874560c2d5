import { listOf, lit, queriesOn, type Read, type RowOf, TENANT } from '#core/database';
import type { READABLE_TRANSACTIONS } from '#core/sales/payments';
import { IMPORT_LINES, RUNS } from './schema.ts';

type Transaction = RowOf<typeof READABLE_TRANSACTIONS>;

const queries = queriesOn(IMPORT_LINES);

/** Returns the payments that the last compared file of their own settlement date settles in full, except those of the given import. */
export async function settledInOtherFiles(
  read: Read,
  scope: string,
  importId: string | undefined,
  transactions: readonly Pick<Transaction, 'id' | 'currency' | 'captured_minor' | 'settlement_date'>[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (importId === undefined) return found;
  for (const [date, ofDate] of Map.groupBy(transactions, ({ settlement_date }) => settlement_date)) {
    if (date === null) continue;
    const [run] = await read.find(RUNS, { scope, date, source: 'import' }, { orderBy: [['id', 'desc']], limit: 1 });
    if (!run?.import_id || run.import_id === importId) continue;
    const sums = await read.rows(
      queries
        .selectFrom('settlement_import_lines')
        .select(({ fn }) => ['subject', 'currency', fn.sum<number>('amount_minor').as('minor')])
        .where('tenant_id', '=', TENANT)
        .where('import_id', '=', run.import_id)
        .where('subject', 'in', listOf(ofDate.map(({ id }) => id)))
        .where('kind', '=', lit('capture'))
        .groupBy(['subject', 'currency']),
    );
    for (const { id, currency, captured_minor } of ofDate)
      if (sums.some((sum) => sum.subject === id && sum.currency === currency && Number(sum.minor) === captured_minor)) found.add(id);
  }
  return found;
}
