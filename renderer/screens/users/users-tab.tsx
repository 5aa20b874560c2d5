import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { User } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordList, statusColumn, textColumn } from '#renderer/kit/data-table';
import { RecordPanel } from '#renderer/kit/record';
import { EmptyState, TimeText } from '#renderer/kit/ui';
import { roleName } from '#renderer/session/permissions';
import { useMe, useMerchant } from '#renderer/session/user';
import { InviteDialog, type InviteDialogProps, NewUserDialog } from './new-user-dialog.tsx';
import { usersQuery } from './queries.ts';
import { UserDetail } from './user-detail.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['twoFactor', 'lastSeenAt', 'merchantId'];

interface UsersTabProps {
  readonly merchantId: string;
  readonly isNewOpen: boolean;
  readonly onNewOpen: (isOpen: boolean) => void;
}

/** Users with access to a merchant. */
export function UsersTab({ merchantId, isNewOpen, onNewOpen }: UsersTabProps) {
  const { merchants } = useMe();
  const { timezone } = useMerchant();
  const [page, setPage] = useState(1);
  const [address] = useSearchParams();
  const [openId, setOpenId] = useState(address.get('user') ?? undefined);
  const [invited, setInvited] = useState<Pick<InviteDialogProps, 'email' | 'url' | 'isInvitation'>>();
  const users = useQuery(usersQuery(merchantId, page));
  const open = users.data?.items.find(({ id }) => id === openId);
  const nameOf = (id: string | null) => (id === null ? t('All merchants') : (merchants.find((one) => one.merchantId === id)?.name ?? id));
  const columns: GridColDef<User>[] = [
    { field: 'name', headerName: t('Name'), flex: 1.1, minWidth: 120, valueGetter: (_, { name }) => name ?? '' },
    { field: 'email', headerName: t('Email'), flex: 1.6, minWidth: 180 },
    { field: 'role', headerName: t('Role'), flex: 0.8, minWidth: 100, valueGetter: (_, { role }) => roleName(role) },
    ...(merchants.length > 1
      ? [
          {
            field: 'merchantId',
            headerName: t('Merchants'),
            flex: 1.2,
            minWidth: 140,
            valueGetter: (_: never, user: User) => nameOf(user.merchantId),
          },
        ]
      : []),
    textColumn(
      'twoFactor',
      t('Two-factor'),
      { flex: 0.8, minWidth: 104 },
      ({ twoFactor }) => ({ off: t('Off'), email: t('Email'), sms: t('Text message'), totp: t('App') })[twoFactor],
    ),
    statusColumn({ width: 104 }, (row) => row.status),
    {
      field: 'lastSeenAt',
      headerName: t('Last seen'),
      flex: 0.9,
      minWidth: 132,
      renderCell: ({ row }) => (row.lastSeenAt ? <TimeText at={row.lastSeenAt} timeZone={timezone} /> : t('Never')),
    },
  ];
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 4 }}>
      <RecordList
        leaveOut={LEAVE_OUT}
        list="Users"
        query={users}
        label={t('Users')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={setPage}
        openId={open?.id}
        onOpen={({ id }) => setOpenId(id)}
        empty={<EmptyState title={t('No users yet')}>{t('Create a user for each person who works here.')}</EmptyState>}
      />
      {isNewOpen && (
        <NewUserDialog
          merchantId={merchantId}
          onClose={() => onNewOpen(false)}
          onDone={(email, url) => {
            onNewOpen(false);
            if (url) setInvited({ email, url, isInvitation: true });
          }}
        />
      )}
      {invited && <InviteDialog {...invited} onClose={() => setInvited(undefined)} />}
      <RecordPanel label={t('User')} openId={open?.id} onClose={() => setOpenId(undefined)}>
        {(id) => {
          const user = users.data?.items.find((each) => each.id === id);
          return (
            user && (
              <UserDetail
                user={user}
                merchantId={merchantId}
                merchantsText={nameOf(user.merchantId)}
                onInvited={(url) => setInvited({ email: user.email, url, isInvitation: user.status === 'invited' })}
                onClose={() => setOpenId(undefined)}
              />
            )
          );
        }}
      </RecordPanel>
    </Box>
  );
}
