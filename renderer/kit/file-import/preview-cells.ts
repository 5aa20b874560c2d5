import { t } from '#renderer/base/language';
import { datedDay } from '#renderer/kit/ui';
import type { FileRow } from './file-head.ts';
import { amountText, type FileMapping, readRow } from './mapping.ts';
import type { PreviewCell } from './preview-table.tsx';

/**
 * Returns the cells of a row for a preview: its date and its amount, each as in the file and as it is read. @param show returns the amount as the import
 * takes it, in minor units or null if it cannot be read; null if it is no amount.
 */
export function previewCells(
  mapping: FileMapping,
  row: FileRow,
  currency: string,
  show: (minor: number | null, currency: string) => PreviewCell | null,
): { readonly date: readonly PreviewCell[]; readonly amount: readonly PreviewCell[] } {
  const { day, minor, currency: code } = readRow(mapping, row, currency);
  const problem = (column: string, text: string) => ({ problem: column === '' ? t('no column chosen') : text });
  const amounts = mapping.amounts === 'two' ? mapping.credit + mapping.debit : mapping.amount;
  return {
    date: [{ text: row.cells[mapping.date] ?? '' }, day === null ? problem(mapping.date, t('not a date')) : { text: datedDay(day) }],
    amount: [{ text: amountText(mapping, row) }, show(minor, code) ?? problem(amounts, t('not an amount'))],
  };
}
