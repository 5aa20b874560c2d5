import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { MoneyText, StatusChip } from '#renderer/ui';
import { causeOf, type KeyedLine, subjectOf } from './words.ts';

/** The column that has the focus when the list is entered. */
export const FIRST_FIELD = 'subject';

/** Ours left, theirs right, the difference between them. `currency` where all lines are in that one, to be said once in the head. */
export function columnsFor(currency: string | null): GridColDef<KeyedLine>[] {
  const inCode = currency === null ? '' : `, ${currency}`;
  const money = (row: KeyedLine, amount: number | null) =>
    amount === null ? <Missing /> : <MoneyText amount={amount} currency={row.currency} code={currency === null} />;
  const aside = { align: 'right', headerAlign: 'right', width: currency === null ? 132 : 112 } as const;
  return [
    {
      field: FIRST_FIELD,
      headerName: 'Payment',
      flex: 1,
      minWidth: 248,
      valueGetter: (_, row) => subjectOf(row),
      renderCell: ({ row }) => <Subject line={row} />,
    },
    { field: 'transactionAmount', headerName: `Ours${inCode}`, ...aside, renderCell: ({ row }) => money(row, row.transactionAmount) },
    {
      field: 'difference',
      headerName: 'Difference',
      ...aside,
      renderCell: ({ row }) => <Difference line={row} isCoded={currency === null} />,
    },
    { field: 'settledAmount', headerName: `Theirs${inCode}`, ...aside, renderCell: ({ row }) => money(row, row.settledAmount) },
    {
      field: 'cause',
      headerName: 'Probable cause',
      flex: 1.5,
      minWidth: 236,
      valueGetter: (_, row) => causeOf(row)?.brief ?? '',
      renderCell: ({ row }) => <Cause line={row} />,
    },
    { field: 'status', headerName: 'Status', width: 112, renderCell: ({ row }) => <StatusChip state={row.status} /> },
  ];
}

function Subject({ line }: { line: KeyedLine }) {
  return (
    <Box component="span" title={subjectOf(line)} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {line.kind === 'refund' && 'Refund '}
      <span className="mono">{subjectOf(line)}</span>
    </Box>
  );
}

/** The other side says nothing of it. */
function Missing() {
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      not there
    </Box>
  );
}

function Difference({ line: { difference, currency }, isCoded }: { line: KeyedLine; isCoded: boolean }) {
  if (difference === 0) return <Box component="span">–</Box>;
  return <MoneyText amount={difference} currency={currency} code={isCoded} sx={{ fontWeight: 600 }} />;
}

/** The explanation of a person replaces the supposed cause. */
function Cause({ line }: { line: KeyedLine }) {
  const text = line.note ?? causeOf(line)?.brief ?? '';
  return (
    <Box component="span" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {text}
    </Box>
  );
}
