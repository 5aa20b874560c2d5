import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText } from '#renderer/kit/ui';
import { containsCardNumber, FILE_CELL } from '#shared/card-numbers';
import { readDateCell } from '#shared/file-cells';
import { readFileAmount } from './cells.ts';
import type { FileHead, FileRow } from './file-head.ts';
import type { Mapping } from './mapping.ts';

const SAMPLE_ROWS = 5;

interface SampleTableProps {
  readonly head: FileHead;
  readonly mapping: Mapping;
  /** Currency of the merchant, if the file has none. */
  readonly currency: string;
}

/** The first rows of the file with the values that are read from them. */
export function SampleTable({ head, mapping, currency }: SampleTableProps) {
  return (
    <Box
      role="region"
      aria-label={t('First rows of the file')}
      tabIndex={0}
      sx={(theme) => ({ overflowX: 'auto', border: `1px solid ${theme.vars.palette.divider}`, borderRadius: 1 })}
    >
      <Box
        component="table"
        sx={(theme) => ({
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 13,
          lineHeight: '20px',
          '& th': { fontSize: 12, fontWeight: 600, textAlign: 'start', color: theme.vars.palette.text.secondary },
          '& thead': { backgroundColor: theme.vars.palette.wash },
          '& th, & td': { px: 2, py: 1, whiteSpace: 'nowrap' },
          '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
          '& .number': { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
        })}
      >
        <thead>
          <tr>
            <th scope="col">{t('Line')}</th>
            <th scope="col">{t('Payment')}</th>
            <th scope="col" className="number">
              {t('Amount')}
            </th>
            <th scope="col">{t('Read as')}</th>
            <th scope="col">{t('Date')}</th>
            <th scope="col">{t('Read as')}</th>
          </tr>
        </thead>
        <tbody>
          {head.rows.slice(0, SAMPLE_ROWS).map((row) => (
            <SampleRow key={row.line} row={row} mapping={mapping} currency={currency} />
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

function SampleRow({ row: { line, cells }, mapping, currency }: { row: FileRow; mapping: Mapping; currency: string }) {
  const cell = (column: string) => (column === '' ? '' : (cells[column] ?? ''));
  const code = (cell(mapping.currency) || currency).toUpperCase();
  const reference = cell(mapping.transactionId);
  const amount = readFileAmount(cell(mapping.amount), code, mapping.sign);
  const day = readDateCell(cell(mapping.date), mapping.dateFormat);
  return (
    <tr>
      <td>{line}</td>
      <td className="mono">
        {reference === '' ? (
          <Bad>{mapping.transactionId === '' ? t('no column chosen') : t('none')}</Bad>
        ) : containsCardNumber(reference, FILE_CELL) ? (
          <Bad>{t('a card number')}</Bad>
        ) : (
          reference
        )}
      </td>
      <td className="number">{cell(mapping.amount)}</td>
      <td>
        {amount === null ? <Bad>{mapping.amount === '' ? t('no column chosen') : t('not an amount')}</Bad> : amountText(amount, code)}
      </td>
      <td>{cell(mapping.date)}</td>
      <td>{day === null ? <Bad>{mapping.date === '' ? t('no column chosen') : t('not a date')}</Bad> : dayText(day)}</td>
    </tr>
  );
}

function amountText(decimal: string, currency: string): string {
  const amount = writeMoney(decimal.replace('-', ''), currency);
  return decimal.startsWith('-') ? t('refund of {{amount}}', { amount }) : t('payment of {{amount}}', { amount });
}

function Bad({ children }: { children: string }) {
  return (
    <Box component="span" sx={(theme) => ({ fontFamily: theme.typography.fontFamily, color: theme.vars.palette.error.main })}>
      {children}
    </Box>
  );
}
