import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { UserSession } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { EmptyState, KeyHint, QueryContent, showToast, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { sessionsQuery } from './queries.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RevokeOthersDialog } from './revoke-others-dialog.tsx';
import { FIRST_FIELD, sessionColumns } from './session-columns.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['kind', 'startedAt'];
const PAGE_SIZE = 50;
const NONE: readonly UserSession[] = [];

/** Active sessions with their origin, and how to end them. */
export function SessionsTab() {
  const canRevoke = useMay()('users:write');
  const { timezone } = useMerchant();
  const grid = useGridApiRef();
  const sessions = useQuery(sessionsQuery);
  const [revoking, setRevoking] = useState<UserSession>();
  const [isOthersOpen, setOthersOpen] = useState(false);
  const [wantedPage, setPage] = useState(1);
  const all = sessions.data ?? NONE;
  const others = all.filter(({ current }) => !current);
  const page = Math.min(wantedPage, Math.max(1, Math.ceil(all.length / PAGE_SIZE)));
  const columns = useMemo(() => sessionColumns(timezone, canRevoke ? setRevoking : undefined), [timezone, canRevoke]);
  useShortcuts(t('Sessions'), canRevoke ? [{ keys: 'K', label: t('Revoke the session of this row'), run: () => askForFocused() }] : []);
  const askForFocused = () => {
    const id = document.activeElement?.closest('[role=row]')?.getAttribute('data-id');
    const session = all.find((each) => each.id === id);
    if (session) setRevoking(session);
    else showToast(t('Select a session with the arrow keys first'));
  };
  /** Focuses the list after the focused row was removed. */
  const focusList = () => {
    const first = all.find(({ id }) => id !== revoking?.id);
    if (first && document.activeElement === document.body) grid.current?.setCellFocus(first.id, FIRST_FIELD);
  };
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
      {canRevoke && (
        <Box sx={{ display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
          <Button disabled={others.length === 0} onClick={() => setOthersOpen(true)}>
            {t('Revoke other sessions')}
          </Button>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            <Trans i18nKey="<0/> or Enter on a row revokes its session." components={[<KeyHint key="0" keys="K" />]} />
          </Box>
        </Box>
      )}
      <QueryContent query={sessions} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            list="Sessions"
            leaveOut={LEAVE_OUT}
            label={t('Sessions')}
            apiRef={grid}
            rows={data.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
            columns={columns}
            getRowId={(row) => row.id}
            total={data.length}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={false}
            onPage={setPage}
            onOpen={(row) => canRevoke && setRevoking(row)}
            empty={<EmptyState title={t('No active sessions')} />}
          />
        )}
      </QueryContent>
      {revoking && <RevokeDialog session={revoking} onClose={() => setRevoking(undefined)} onDone={focusList} />}
      {isOthersOpen && <RevokeOthersDialog others={others} onClose={() => setOthersOpen(false)} />}
    </Box>
  );
}
