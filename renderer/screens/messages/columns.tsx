import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { Mail, MessageSquareText } from 'lucide-react';
import type { Message } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { channelText, firstLine, kindText, nextRetryText } from './texts.ts';

/** Column that gets the focus when the focus enters the list. */
export const FIRST_FIELD = 'createdAt';

/** Columns of the outbox. `nowMs` is the tenant's current time, for the next retry. */
export function columnsFor(timeZone: string, nowMs: number): GridColDef<Message>[] {
  return [
    timeColumn(FIRST_FIELD, t('Time'), { flex: 0.8, minWidth: 144 }, timeZone, (row) => row.createdAt),
    { field: 'channel', headerName: t('Channel'), width: 92, renderCell: ({ row }) => <Channel channel={row.channel} /> },
    textColumn('to', t('To', { context: 'recipient' }), { flex: 1.2, minWidth: 150 }, (row) => row.to),
    { field: 'kind', headerName: t('Type'), flex: 0.8, minWidth: 200, valueGetter: (_, { kind }) => kindText(kind) },
    { field: 'subject', headerName: t('Subject'), flex: 1.7, minWidth: 170, valueGetter: (_, row) => firstLine(row) },
    statusColumn({ width: 108 }, (row) => row.status),
    { field: 'attempts', headerName: t('Attempts'), width: 84, align: 'right', headerAlign: 'right' },
    { field: 'nextTryAt', headerName: t('Next retry'), width: 124, valueGetter: (_, row) => nextRetryText(row, nowMs) ?? '' },
  ];
}

function Channel({ channel }: { channel: Message['channel'] }) {
  const Icon = channel === 'email' ? Mail : MessageSquareText;
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Icon size={14} aria-hidden />
      {channelText(channel)}
    </Box>
  );
}
