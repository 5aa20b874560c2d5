import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import type { Invoice, Merchant } from '#renderer/base/client';
import { dayIn } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { moneyColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { dayText, fullTime, StatusChip } from '#renderer/kit/ui';
import { shownState } from '#renderer/shared/invoices';
import { dueNote, dueText, isOverdue, payerOf } from '../texts.ts';
import type { CurrentTime } from '../use-current-time.ts';
import type { TabId } from './use-view.ts';

/** Column that gets the focus when the focus enters a list. */
export const FIRST_FIELD = 'number';

type Column = GridColDef<Invoice>;

/** Columns of a list at the current time. The headers name the merchant's currency. */
export function columnsFor(tab: TabId, { currency, timezone }: Merchant, now: CurrentTime): Column[] {
  const money = (field: string, headerName: string, amountOf: (row: Invoice) => number, sx?: object) =>
    moneyColumn(field, headerName, { flex: 0.8, minWidth: 112 }, currency, amountOf, sx);
  const kind: Column = {
    field: 'kind',
    headerName: t('Type'),
    width: 84,
    valueGetter: (_, row) => (row.kind === 'link' ? t('Link') : t('Invoice')),
  };
  const due: Column = {
    field: 'dueDate',
    headerName: t('Due'),
    flex: 1.2,
    minWidth: 150,
    renderCell: ({ row }) => <DueText invoice={row} today={now.today} />,
  };
  const expires: Column = {
    field: 'expiresAt',
    headerName: t('Expires'),
    flex: 1,
    minWidth: 124,
    renderCell: ({ row }) =>
      row.expiresAt === null ? (
        t('Never')
      ) : (
        <span title={fullTime(row.expiresAt, timezone)}>{dayText(dayIn(timezone, Date.parse(row.expiresAt)))}</span>
      ),
  };
  const promise: Column = {
    field: 'promise',
    headerName: t('Promised'),
    flex: 1.3,
    minWidth: 150,
    valueGetter: (_, row) =>
      row.promise === null ? '' : t('{{day}} by {{person}}', { day: dayText(row.promise.date), person: row.promise.by }),
  };
  const time = (field: string, headerName: string, timeOf: (row: Invoice) => string | null) =>
    timeColumn(field, headerName, { flex: 0.9, minWidth: 124 }, timezone, timeOf);
  return [
    { field: FIRST_FIELD, headerName: t('Number'), width: 116 },
    textColumn('customer', tab === 'links' ? t('For') : t('Customer'), { flex: 1.5, minWidth: 130 }, (row) => payerOf(row)),
    money('amount', t('Amount, {{currency}}', { currency }), ({ amount }) => amount, { color: 'text.secondary' }),
    money('amountDue', t('Balance, {{currency}}', { currency }), ({ amountDue, status }) => (status === 'cancelled' ? 0 : amountDue)),
    {
      field: 'status',
      headerName: t('Status'),
      width: 190,
      renderCell: ({ row }) => <StatusChip state={shownState(row, now.nowMs)} of={row.kind === 'link' ? undefined : 'invoice'} />,
    },
    ...(tab === 'links' ? [expires] : [due]),
    ...(tab === 'to_do' ? [promise] : []),
    ...(tab === 'links' ? [time('createdAt', t('Created'), ({ createdAt }) => createdAt)] : []),
    // Before a channel took the message, the status says what it waits for.
    time('sentAt', t('Sent'), ({ sentAt, delivery }) => (delivery === null || delivery.status === 'sent' ? sentAt : null)),
    ...(tab === 'all' ? [kind] : []),
  ];
}

function DueText({ invoice, today }: { invoice: Invoice; today: string }) {
  const isLate = isOverdue(invoice, today);
  return (
    <Box
      component="span"
      title={dueText(invoice, today)}
      sx={(theme) => ({
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        ...(isLate && { color: theme.vars.palette.tone.warning.main, fontWeight: 550 }),
      })}
    >
      {isLate ? dueNote(invoice, today) : dueText(invoice, today)}
    </Box>
  );
}
