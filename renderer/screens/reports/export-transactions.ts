import { api, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { saveCsv } from '#renderer/session/download';

type TransactionsFilter = Readonly<Record<string, string>>;

/** Saves the transactions of a report as CSV. Returns the notice of success; undefined if the person canceled. */
export async function exportTransactions(query: TransactionsFilter): Promise<string | undefined> {
  const { total } = await takePage(api.GET('/api/v1/reporting/transactions', { params: { query: { ...query, limit: 1 } } }));
  const isSaved = await saveCsv({ path: '/api/v1/reporting/export/transactions', query, name: nameOf(query), rows: total });
  return isSaved ? t('{{count, number}} transactions exported', { count: total }) : undefined;
}

/** "transactions 2026-11-01 to 2026-11-21.csv". */
function nameOf({ startDate, endDate, capturedFrom, capturedTo, refundedFrom, refundedTo }: TransactionsFilter): string {
  return `transactions ${startDate ?? capturedFrom ?? refundedFrom} to ${endDate ?? capturedTo ?? refundedTo}.csv`;
}
