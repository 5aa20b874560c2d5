import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { serviceText, t } from '#renderer/base/language';
import { figureColumn, statusColumn } from '#renderer/kit/data-table';
import { MoneyText } from '#renderer/kit/ui';
import { paymentFactsText } from '#renderer/shared/receipt';
import { causeOf } from './causes.ts';
import { type KeyedLine, subjectOf } from './texts.ts';

/** Column that gets the focus when the focus enters the list. */
export const FIRST_FIELD = 'subject';

/** Columns: Paydesk's amount, the difference, the processor's amount. `currency` is set if all lines share it; only the header then shows it. */
export function columnsFor(currency: string | null): GridColDef<KeyedLine>[] {
  const currencySuffix = currency === null ? '' : `, ${currency}`;
  const money = (row: KeyedLine, amount: number | null) =>
    amount === null ? <Missing /> : <MoneyText amount={amount} currency={row.currency} code={currency === null} />;
  const size = { width: currency === null ? 132 : 112 };
  return [
    {
      field: FIRST_FIELD,
      headerName: t('Payment'),
      flex: 1,
      minWidth: 248,
      valueGetter: (_, row) => subjectOf(row),
      renderCell: ({ row }) => <Subject line={row} />,
    },
    figureColumn('transactionAmount', `Paydesk${currencySuffix}`, size, (row) => money(row, row.transactionAmount)),
    figureColumn('difference', t('Difference'), size, (row) => <Difference line={row} isCoded={currency === null} />),
    figureColumn('settledAmount', `${t('Processor')}${currencySuffix}`, size, (row) => money(row, row.settledAmount)),
    {
      field: 'cause',
      headerName: t('Probable cause'),
      flex: 1.5,
      minWidth: 236,
      valueGetter: (_, row) => causeOf(row)?.brief ?? '',
      renderCell: ({ row }) => <Cause line={row} />,
    },
    statusColumn({ width: 112 }, (row) => row.status, 'line'),
  ];
}

function Subject({ line }: { line: KeyedLine }) {
  const facts = paymentFactsText(line.payment);
  return (
    <Box component="span" title={`${facts}\n${subjectOf(line)}`.trim()} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {line.kind === 'refund' && `${t('Refund')} `}
      {line.kind === 'chargeback' && `${t('Chargeback')} `}
      {facts !== '' && `${facts} · `}
      <span className="mono">{subjectOf(line)}</span>
    </Box>
  );
}

/** Placeholder for an amount that is missing on one side. */
function Missing() {
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t('missing')}
    </Box>
  );
}

function Difference({ line: { difference, currency }, isCoded }: { line: KeyedLine; isCoded: boolean }) {
  if (difference === 0) return <Box component="span">–</Box>;
  return <MoneyText amount={difference} currency={currency} code={isCoded} sx={{ fontWeight: 600 }} />;
}

/** The note of a user, or else the probable cause. */
function Cause({ line }: { line: KeyedLine }) {
  const text = line.note === null ? (causeOf(line)?.brief ?? '') : serviceText(line.note);
  return (
    <Box component="span" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {text}
    </Box>
  );
}
