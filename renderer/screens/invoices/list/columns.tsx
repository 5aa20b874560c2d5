import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import type { Invoice, Merchant } from '#renderer/client';
import { dayIn } from '#renderer/dates';
import { dayText, exactTime, MoneyText, StatusChip, TimeText } from '#renderer/ui';
import { dueNote, dueText, payerOf, shownState } from '../texts.ts';
import type { CurrentTime } from '../use-current-time.ts';
import type { TabId } from './use-view.ts';

/** Column that gets the focus when the focus enters a list. */
export const FIRST_FIELD = 'number';

type Column = GridColDef<Invoice>;

/** Columns of a list at the current time. The headers name the merchant's currency. */
export function columnsFor(tab: TabId, { currency, timezone }: Merchant, now: CurrentTime): Column[] {
  const money = (field: string, name: string, read: (row: Invoice) => number, isBold: boolean): Column => ({
    field,
    headerName: `${name}, ${currency}`,
    flex: 0.8,
    minWidth: 112,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => (
      <MoneyText
        amount={read(row)}
        currency={row.currency}
        code={row.currency !== currency}
        sx={isBold ? { fontWeight: 600 } : { color: 'text.secondary' }}
      />
    ),
  });
  const kind: Column = {
    field: 'kind',
    headerName: 'Type',
    width: 84,
    valueGetter: (_, row) => (row.kind === 'link' ? 'Link' : 'Invoice'),
  };
  const due: Column = {
    field: 'dueDate',
    headerName: 'Due',
    flex: 1.2,
    minWidth: 150,
    renderCell: ({ row }) => <DueText invoice={row} today={now.today} />,
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
  const time = (field: string, name: string, read: (row: Invoice) => string | null): Column => ({
    field,
    headerName: name,
    flex: 0.9,
    minWidth: 124,
    renderCell: ({ row }) => {
      const at = read(row);
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
      renderCell: ({ row }) => <TruncatedText text={payerOf(row)} />,
    },
    money('amount', 'Amount', ({ amount }) => amount, false),
    money('amountDue', 'Balance', ({ amountDue, status }) => (status === 'cancelled' ? 0 : amountDue), true),
    {
      field: 'status',
      headerName: 'Status',
      width: 130,
      renderCell: ({ row }) => <StatusChip state={shownState(row, now.nowMs)} />,
    },
    ...(tab === 'links' ? [expires] : [due]),
    ...(tab === 'links' ? [time('createdAt', 'Created', ({ createdAt }) => createdAt)] : []),
    time('sentAt', 'Sent', ({ sentAt }) => sentAt),
    ...(tab === 'all' ? [kind] : []),
  ];
}

function DueText({ invoice, today }: { invoice: Invoice; today: string }) {
  const note = dueNote(invoice, today);
  const isOverdue = note.includes('overdue');
  return (
    <Box
      component="span"
      title={dueText(invoice, today)}
      sx={(theme) => ({
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        ...(isOverdue && { color: theme.vars.palette.tone.warning.main, fontWeight: 550 }),
      })}
    >
      {isOverdue ? note : dueText(invoice, today)}
    </Box>
  );
}

/** Text that is truncated to its column; the tooltip contains the full text. */
function TruncatedText({ text }: { text: string }) {
  return (
    <Box component="span" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {text}
    </Box>
  );
}
