import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Subscription } from '#renderer/client';
import { dayText, MoneyText, StatusChip } from '#renderer/ui';
import { frequencyWords, lastResultWords, payerOf } from './words.ts';

/** The column that has the focus when the list is entered. */
export const FIRST_FIELD = 'customer';

/** The columns of the list of plans. */
export function columnsFor({ currency }: Merchant): GridColDef<Subscription>[] {
  return [
    { field: FIRST_FIELD, headerName: 'Customer', flex: 1.3, minWidth: 140, renderCell: ({ row }) => <Line text={payerOf(row)} /> },
    { field: 'planId', headerName: 'Plan', flex: 1, minWidth: 96, renderCell: ({ row }) => <Line text={row.planId ?? ''} /> },
    {
      field: 'amount',
      headerName: `Amount, ${currency}`,
      flex: 0.8,
      minWidth: 108,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    { field: 'frequency', headerName: 'How often', flex: 0.8, minWidth: 108, valueGetter: (_, row) => frequencyWords(row.frequency) },
    { field: 'nextPaymentDate', headerName: 'Next date', flex: 0.9, minWidth: 116, valueGetter: (_, row) => nextDate(row) },
    {
      field: 'lastResult',
      headerName: 'Last result',
      flex: 1.3,
      minWidth: 140,
      renderCell: ({ row }) => <Line text={lastResultWords(row)} />,
    },
    { field: 'status', headerName: 'Status', width: 112, renderCell: ({ row }) => <StatusChip state={row.status} /> },
  ];
}

/** A text that is cut where the column ends, and whole in its tooltip. */
function Line({ text }: { text: string }) {
  return (
    <Box component="span" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {text}
    </Box>
  );
}

function nextDate({ nextPaymentDate, status }: Subscription): string {
  if (nextPaymentDate === null) return '';
  return status === 'past_due' ? `${dayText(nextPaymentDate)}, again` : dayText(nextPaymentDate);
}
