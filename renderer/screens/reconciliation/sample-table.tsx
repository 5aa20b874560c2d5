import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';
import { type FileHead, type FileRow, PREVIEW_ROWS, PreviewTable, previewCells } from '#renderer/kit/file-import';
import { containsCardNumber, FILE_CELL } from '#shared/card-numbers';
import type { Mapping } from './mapping.ts';

interface SampleTableProps {
  readonly head: FileHead;
  readonly mapping: Mapping;
  /** Currency of the merchant, if the file has none. */
  readonly currency: string;
}

/** The first rows of a processor's file with the values that are read from them. */
export function SampleTable({ head, mapping, currency }: SampleTableProps) {
  const cellsOf = (row: FileRow) => {
    const { date, amount } = previewCells(mapping, row, currency, (minor, code) =>
      minor === null || minor === 0 ? null : { text: paymentText(minor, code) },
    );
    return [referenceOf(row.cells[mapping.transactionId] ?? '', mapping.transactionId), ...amount, ...date];
  };
  return (
    <PreviewTable
      columns={[
        { label: t('Payment') },
        { label: t('Amount'), isNumber: true },
        { label: t('Read as') },
        { label: t('Date') },
        { label: t('Read as') },
      ]}
      rows={head.rows.slice(0, PREVIEW_ROWS).map((row) => ({ line: row.line, cells: cellsOf(row) }))}
    />
  );
}

function referenceOf(reference: string, column: string) {
  if (containsCardNumber(reference, FILE_CELL)) return { problem: t('a card number') };
  if (reference === '') return { problem: column === '' ? t('no column chosen') : t('none') };
  return { text: reference };
}

function paymentText(minor: number, currency: string): string {
  const amount = writeMoney(decimalText(Math.abs(minor), currency), currency);
  return minor < 0 ? t('refund of {{amount}}', { amount }) : t('payment of {{amount}}', { amount });
}
