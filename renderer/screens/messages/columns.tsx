import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { Mail, MessageSquareText } from 'lucide-react';
import type { Message } from '#renderer/client';
import { StatusChip, TimeText } from '#renderer/ui';
import { channelWords, firstLine, kindWords, nextTryWords } from './words.ts';

/** The column that has the focus when the list is entered. */
export const FIRST_FIELD = 'createdAt';

/** The columns of the outbox; the next try is seen from the tenant's present. */
export function columnsFor(timeZone: string, nowMs: number): GridColDef<Message>[] {
  return [
    {
      field: FIRST_FIELD,
      headerName: 'Time',
      flex: 0.8,
      minWidth: 128,
      renderCell: ({ row }) => <TimeText at={row.createdAt} timeZone={timeZone} />,
    },
    { field: 'channel', headerName: 'By', width: 92, renderCell: ({ row }) => <Channel channel={row.channel} /> },
    { field: 'to', headerName: 'To', flex: 1.2, minWidth: 150, renderCell: ({ row }) => <Line text={row.to} /> },
    { field: 'kind', headerName: 'What', flex: 0.8, minWidth: 112, valueGetter: (_, { kind }) => kindWords(kind) },
    { field: 'subject', headerName: 'Subject', flex: 1.7, minWidth: 170, renderCell: ({ row }) => <Line text={firstLine(row)} /> },
    { field: 'status', headerName: 'Status', width: 108, renderCell: ({ row }) => <StatusChip state={row.status} /> },
    { field: 'attempts', headerName: 'Tries', width: 60, align: 'right', headerAlign: 'right' },
    { field: 'nextTryAt', headerName: 'Next try', width: 100, valueGetter: (_, row) => nextTryWords(row, nowMs) ?? '' },
  ];
}

function Channel({ channel }: { channel: Message['channel'] }) {
  const Icon = channel === 'email' ? Mail : MessageSquareText;
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Icon size={14} aria-hidden />
      {channelWords(channel)}
    </Box>
  );
}

/** A text that is cut where the column ends, and whole in its tooltip. */
function Line({ text }: { text: string }) {
  return (
    <Box component="span" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {text}
    </Box>
  );
}
