import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import type { Invoice, Merchant } from '#renderer/client';
import { dayIn } from '#renderer/dates';
import { dayText, exactTime, MoneyText, StatusChip, TimeText } from '#renderer/ui';
import type { Present } from '../use-present.ts';
import { dueNote, dueWords, payerOf, shownState } from '../words.ts';
import type { TabId } from './use-view.ts';

/** The column that has the focus when a list is entered. */
export const FIRST_FIELD = 'number';

type Column = GridColDef<Invoice>;

/** The columns of a list, as of now. The merchant's currency is said once, in the head. */
export function columnsFor(tab: TabId, { currency, timezone }: Merchant, present: Present): Column[] {
  const money = (field: string, name: string, of: (row: Invoice) => number, isStrong: boolean): Column => ({
    field,
    headerName: `${name}, ${currency}`,
    flex: 0.8,
    minWidth: 112,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => (
      <MoneyText
        amount={of(row)}
        currency={row.currency}
        code={row.currency !== currency}
        sx={isStrong ? { fontWeight: 600 } : { color: 'text.secondary' }}
      />
    ),
  });
  const kind: Column = {
    field: 'kind',
    headerName: 'Kind',
    width: 84,
    valueGetter: (_, row) => (row.kind === 'link' ? 'Link' : 'Invoice'),
  };
  const due: Column = {
    field: 'dueDate',
    headerName: 'Due',
    flex: 1.2,
    minWidth: 150,
    renderCell: ({ row }) => <Due invoice={row} today={present.today} />,
  };
  const expires: Column = {
    field: 'expiresAt',
    headerName: 'Expires',
    flex: 1,
    minWidth: 124,
    renderCell: ({ row }) =>
      row.expiresAt === null ? (
        'Never'
      ) : (
        <span title={exactTime(row.expiresAt, timezone)}>{dayText(dayIn(timezone, Date.parse(row.expiresAt)))}</span>
      ),
  };
  const time = (field: string, name: string, of: (row: Invoice) => string | null): Column => ({
    field,
    headerName: name,
    flex: 0.9,
    minWidth: 124,
    renderCell: ({ row }) => {
      const at = of(row);
      return at !== null && <TimeText at={at} timeZone={timezone} />;
    },
  });
  return [
    { field: FIRST_FIELD, headerName: 'Number', width: 116 },
    {
      field: 'customer',
      headerName: tab === 'links' ? 'For' : 'Customer',
      flex: 1.5,
      minWidth: 130,
      renderCell: ({ row }) => <Clipped text={payerOf(row)} />,
    },
    money('amount', 'Amount', ({ amount }) => amount, false),
    money('amountDue', 'Left', ({ amountDue, status }) => (status === 'cancelled' ? 0 : amountDue), true),
    {
      field: 'status',
      headerName: 'Status',
      width: 130,
      renderCell: ({ row }) => <StatusChip state={shownState(row, present.nowMs)} />,
    },
    ...(tab === 'links' ? [expires] : [due]),
    ...(tab === 'links' ? [time('createdAt', 'Made', ({ createdAt }) => createdAt)] : []),
    time('sentAt', 'Sent', ({ sentAt }) => sentAt),
    ...(tab === 'all' ? [kind] : []),
  ];
}

function Due({ invoice, today }: { invoice: Invoice; today: string }) {
  const note = dueNote(invoice, today);
  const isLate = note.includes('overdue');
  return (
    <Box
      component="span"
      title={dueWords(invoice, today)}
      sx={(theme) => ({
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        ...(isLate && { color: theme.vars.palette.tone.warning.main, fontWeight: 550 }),
      })}
    >
      {isLate ? note : dueWords(invoice, today)}
    </Box>
  );
}

/** A text that is cut where the column ends, and whole in its tooltip. */
function Clipped({ text }: { text: string }) {
  return (
    <Box component="span" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {text}
    </Box>
  );
}
