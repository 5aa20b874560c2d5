import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import type { UserSession } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { timeColumn } from '#renderer/kit/data-table';
import { actorText, deviceText, StatusChip } from '#renderer/kit/ui';
import { stopRowEvents } from './stop-row-events.ts';

export const FIRST_FIELD = 'email';

/** Columns of a list of sessions; with a button to end one if that is allowed. */
export function sessionColumns(timeZone: string, onRevoke: ((session: UserSession) => void) | undefined): GridColDef<UserSession>[] {
  const columns: GridColDef<UserSession>[] = [
    { field: FIRST_FIELD, headerName: t('User'), flex: 1.4, minWidth: 130, valueGetter: (_, { email }) => actorText(email) },
    {
      field: 'device',
      headerName: t('Device'),
      flex: 1.4,
      minWidth: 240,
      renderCell: ({ row }) => (
        <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}>
          <span title={row.device ?? undefined}>{deviceText(row.device)}</span>
          {row.current && <StatusChip state="active" label={t('This session')} />}
        </Box>
      ),
    },
    { field: 'kind', headerName: t('Kind'), width: 88, valueGetter: (_, { kind }) => (kind === 'screen' ? t('Screen') : t('Program')) },
    { field: 'ip', headerName: t('IP address'), flex: 0.7, minWidth: 100, valueGetter: (_, { ip }) => ip ?? '–' },
    timeColumn('startedAt', t('Started'), { flex: 0.8, minWidth: 132 }, timeZone, (row) => row.startedAt),
    timeColumn('lastSeenAt', t('Last seen'), { flex: 0.8, minWidth: 132 }, timeZone, (row) => row.lastSeenAt),
  ];
  if (!onRevoke) return columns;
  return [
    ...columns,
    {
      field: 'revoke',
      headerName: t('Revoke'),
      width: 96,
      renderCell: ({ row, tabIndex }) => (
        <Button
          variant="text"
          color="error"
          size="small"
          sx={{ marginInlineStart: -2.5 }}
          tabIndex={tabIndex}
          {...stopRowEvents(() => onRevoke(row))}
        >
          {t('Revoke')}
        </Button>
      ),
    },
  ];
}
