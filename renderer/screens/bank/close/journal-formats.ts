import { requestFile } from '#renderer/client';
import { saveAs } from '#renderer/download';
import { t } from '#renderer/language';

/** Formats of the journal with their names, and the endings of their files. */
export const JOURNAL_FORMATS = [
  ['xero', 'Xero (CSV)', 'xero.csv'],
  ['quickbooks', 'QuickBooks Online (CSV)', 'quickbooks.csv'],
  ['iif', 'QuickBooks Desktop (IIF)', 'iif'],
  ['hledger', t('hledger (plain text)'), 'journal'],
  ['beancount', t('beancount (plain text)'), 'beancount'],
  ['csv', t('Generic CSV'), 'csv'],
] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number][0];

/** Saves the file of a recorded export. Its entries are the same each time. */
export async function saveJournal(
  { journalExportId, startDate, endDate }: { readonly journalExportId: string; readonly startDate: string; readonly endDate: string },
  format: JournalFormat,
): Promise<void> {
  const ending = JOURNAL_FORMATS.find(([id]) => id === format)?.[2] ?? 'txt';
  const response = await requestFile(`/api/v1/reporting/journal/exports/${journalExportId}/file?format=${format}`);
  saveAs(await response.blob(), `journal-${startDate}-${endDate}.${ending}`);
}
