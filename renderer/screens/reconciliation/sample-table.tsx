import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';
import { amountText, type FileHead, type FileRow, PREVIEW_ROWS, PreviewTable, readRow } from '#renderer/kit/file-import';
import { dayText } from '#renderer/kit/ui';
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
  const none = (columns: string, problem: string) => (columns === '' ? t('no column chosen') : problem);
  const cellsOf = (row: FileRow) => {
    const { day, minor, currency: code } = readRow(mapping, row, currency);
    const reference = row.cells[mapping.transactionId] ?? '';
    const isCard = containsCardNumber(reference, FILE_CELL);
    const amounts = mapping.amounts === 'two' ? mapping.credit + mapping.debit : mapping.amount;
    return [
      isCard || reference === ''
        ? { problem: isCard ? t('a card number') : mapping.transactionId === '' ? t('no column chosen') : t('none') }
        : { text: reference },
      { text: amountText(mapping, row) },
      minor === null || minor === 0 ? { problem: none(amounts, t('not an amount')) } : { text: paymentText(minor, code) },
      { text: row.cells[mapping.date] ?? '' },
      day === null ? { problem: none(mapping.date, t('not a date')) } : { text: dayText(day) },
    ];
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

function paymentText(minor: number, currency: string): string {
  const amount = writeMoney(decimalText(Math.abs(minor), currency), currency);
  return minor < 0 ? t('refund of {{amount}}', { amount }) : t('payment of {{amount}}', { amount });
}
