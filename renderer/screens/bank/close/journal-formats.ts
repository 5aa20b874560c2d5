import { ApiFailure, requestFile } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { saveAs } from '#renderer/session/download';

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

/** Saves the files of a recorded export: one, or one for each currency if the program takes one currency in a file. */
export async function saveJournal(
  { journalExportId, startDate, endDate }: { readonly journalExportId: string; readonly startDate: string; readonly endDate: string },
  format: JournalFormat,
): Promise<void> {
  const ending = JOURNAL_FORMATS.find(([id]) => id === format)?.[2] ?? 'txt';
  const save = async (currency?: string) => {
    const query = new URLSearchParams({ format, ...(currency !== undefined && { currency }) });
    const response = await requestFile(`/api/v1/reporting/journal/exports/${journalExportId}/file?${query}`);
    const name = ['journal', startDate, endDate, ...(currency === undefined ? [] : [currency])].join('-');
    saveAs(await response.blob(), `${name}.${ending}`);
  };
  try {
    await save();
  } catch (error) {
    const currencies = error instanceof ApiFailure ? error.details.currencies : undefined;
    if (!Array.isArray(currencies)) throw error;
    for (const currency of currencies as string[]) await save(currency);
  }
}
