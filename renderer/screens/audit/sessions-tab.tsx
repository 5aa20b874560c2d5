import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserSession } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useMay, useMerchant } from '#renderer/session';
import { Answer, ConfirmDialog, EmptyNote, FailureNote, showToast, TimeText, useShortcuts } from '#renderer/ui';
import { refreshSessions, revokeSession, sessionsQuery } from './queries.ts';
import { deviceText } from './words.ts';

/** Who is signed in, from where, and the end of it. */
export function SessionsTab() {
  const canRevoke = useMay()('users:write');
  const { timezone } = useMerchant();
  const sessions = useQuery(sessionsQuery);
  const [asked, setAsked] = useState<readonly UserSession[]>();
  const rows = sessions.data?.items ?? [];
  const others = rows.filter(({ current }) => !current);
  const revoke = useMutation({
    mutationFn: async (chosen: readonly UserSession[]) => {
      for (const { id } of chosen) await revokeSession(id);
      return chosen.length;
    },
    onSuccess: (count) => showToast(count === 1 ? 'The session has ended.' : `${count} sessions have ended.`),
    onSettled: () => {
      setAsked(undefined);
      refreshSessions();
    },
  });
  const columns: GridColDef<UserSession>[] = [
    { field: 'email', headerName: 'User', flex: 1.4, minWidth: 170 },
    {
      field: 'device',
      headerName: 'Device',
      flex: 1.2,
      minWidth: 150,
      valueGetter: (_, { device, current }) => `${deviceText(device)}${current ? ', this one' : ''}`,
    },
    { field: 'kind', headerName: 'By', width: 96, valueGetter: (_, { kind }) => (kind === 'screen' ? 'Screen' : 'Program') },
    { field: 'ip', headerName: 'From', flex: 0.7, minWidth: 100, valueGetter: (_, { ip }) => ip ?? '–' },
    {
      field: 'startedAt',
      headerName: 'Started',
      flex: 0.8,
      minWidth: 110,
      renderCell: ({ row }) => <TimeText at={row.startedAt} timeZone={timezone} />,
    },
    {
      field: 'lastSeenAt',
      headerName: 'Last seen',
      flex: 0.8,
      minWidth: 110,
      renderCell: ({ row }) => <TimeText at={row.lastSeenAt} timeZone={timezone} />,
    },
  ];
  useShortcuts('Sessions', canRevoke && others.length > 0 ? [{ keys: 'K', label: 'Revoke all others', run: () => setAsked(others) }] : []);
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
      {canRevoke && (
        <Box sx={{ display: 'flex', gap: 3, alignItems: 'center' }}>
          <Button variant="outlined" color="error" disabled={others.length === 0} onClick={() => setAsked(others)}>
            Revoke all others
          </Button>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>Enter on a row ends that session.</Box>
        </Box>
      )}
      {revoke.error && <FailureNote failure={revoke.error} />}
      <Answer of={sessions} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            label="Sessions"
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.id}
            total={data.total}
            page={1}
            pageSize={data.limit}
            isLoading={sessions.isFetching}
            onPage={() => undefined}
            onOpen={(row) => canRevoke && setAsked([row])}
            empty={<EmptyNote title="Nobody is signed in" />}
          />
        )}
      </Answer>
      {asked && (
        <ConfirmDialog
          title={asked.length === 1 ? `End the session of ${asked[0]?.email}?` : `End ${asked.length} sessions?`}
          isOpen
          confirmLabel={asked.length === 1 ? 'End the session' : `End ${asked.length} sessions`}
          isDangerous
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked.some(({ current }) => current) ? 'This is the session that you are using.' : 'It is refused from the next request on.'}
        </ConfirmDialog>
      )}
    </Box>
  );
}
