import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { UserSession } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { inPages, RecordList } from '#renderer/kit/data-table';
import { EmptyState, KeyHint, type ListHandle, showToast } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { sessionsQuery } from './queries.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RevokeOthersDialog } from './revoke-others-dialog.tsx';
import { sessionColumns } from './session-columns.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['kind', 'startedAt', 'ip', 'lastSeenAt'];
const PAGE_SIZE = 50;
const NONE: readonly UserSession[] = [];

/** Active sessions with their origin, and how to end them. */
export function SessionsTab() {
  const canRevoke = useMay()('users:write');
  const { timezone } = useMerchant();
  const sessions = useQuery(sessionsQuery);
  const [revoking, setRevoking] = useState<UserSession>();
  const [isOthersOpen, setOthersOpen] = useState(false);
  const [page, setPage] = useState(1);
  const others = (sessions.data ?? NONE).filter(({ current }) => !current);
  const columns = useMemo(() => sessionColumns(timezone, canRevoke ? setRevoking : undefined), [timezone, canRevoke]);
  const revokeRow = (row: UserSession | undefined) => {
    if (row) setRevoking(row);
    else showToast(t('Select a session with the arrow keys first'));
  };
  const list = useRef<ListHandle>(null);
  /** Focuses the list after the focused row was removed. */
  const focusList = () => {
    if (document.activeElement === document.body) list.current?.focusFirst();
  };
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
      {canRevoke && (
        <Box sx={{ display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
          <Button disabled={others.length === 0} onClick={() => setOthersOpen(true)}>
            {t('Revoke other sessions')}
          </Button>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            <Trans i18nKey="<0/> or Enter on a row revokes its session." components={[<KeyHint key="0" keys="X" />]} />
          </Box>
        </Box>
      )}
      <RecordList
        list="Sessions"
        leaveOut={LEAVE_OUT}
        ref={list}
        query={inPages(sessions, (rows) => rows, page, PAGE_SIZE)}
        label={t('Sessions')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={setPage}
        onOpen={(row) => canRevoke && setRevoking(row)}
        rowKeys={canRevoke ? [{ keys: 'X', label: t('Revoke the session of this row'), run: revokeRow }] : []}
        empty={<EmptyState title={t('No active sessions')} />}
      />
      {revoking && <RevokeDialog session={revoking} onClose={() => setRevoking(undefined)} onDone={focusList} />}
      {isOthersOpen && <RevokeOthersDialog others={others} onClose={() => setOthersOpen(false)} />}
    </Box>
  );
}
