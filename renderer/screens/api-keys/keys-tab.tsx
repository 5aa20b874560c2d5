import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import type { GridColDef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordList, statusColumn, textColumn } from '#renderer/kit/data-table';
import { RecordPanel } from '#renderer/kit/record';
import { CopyText, EmptyState, FormDialog, TimeText } from '#renderer/kit/ui';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { CreatedKeyDialog } from './created-key-dialog.tsx';
import { creatorText } from './creator-text.ts';
import { KeyDetail } from './key-detail.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { type CreatedKey, keysQuery, testKey } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['createdBy', 'scope', 'permissions', 'expiresAt'];

export type KeyDialog = 'new' | 'test';

interface KeysTabProps {
  /** The open dialog. */
  readonly dialog: KeyDialog | undefined;
  readonly onDialog: (dialog: KeyDialog | undefined) => void;
}

/** List of API keys, with the base URL and tenant ID that a program also needs. */
export function KeysTab({ dialog, onDialog }: KeysTabProps) {
  const canWrite = useMay()('api-keys:write');
  const { tenant } = useMe();
  const { timezone } = useMerchant();
  const [page, setPage] = useState(1);
  const [createdKey, setCreatedKey] = useState<CreatedKey>();
  const [openId, setOpenId] = useState<string>();
  const keys = useQuery(keysQuery(page));
  const open = keys.data?.items.find(({ id }) => id === openId);
  const time = (at: string | null, fallback: string) => (at ? <TimeText at={at} timeZone={timezone} /> : fallback);
  const columns: GridColDef<ApiKey>[] = [
    { field: 'name', headerName: t('Name'), flex: 1.4, minWidth: 140 },
    textColumn('scope', t('Scope'), { width: 96 }, ({ scope }) => (scope === 'tenant' ? t('Account') : t('Merchant'))),
    textColumn('permissions', t('Permissions'), { flex: 1, minWidth: 120 }, ({ permissions }) =>
      t('{{count, number}} permissions', { count: permissions.length }),
    ),
    { field: 'last4', headerName: t('Last 4'), width: 88, renderCell: ({ row }) => <span className="mono">…{row.last4}</span> },
    statusColumn({ width: 112 }, (row) => row.status, 'apiKey'),
    { field: 'expiresAt', headerName: t('Expires'), flex: 0.9, minWidth: 110, renderCell: ({ row }) => time(row.expiresAt, t('Never')) },
    {
      field: 'lastUsedAt',
      headerName: t('Last used'),
      flex: 0.9,
      minWidth: 110,
      renderCell: ({ row }) => time(row.lastUsedAt, t('Never')),
    },
    textColumn('createdBy', t('Created by'), { flex: 1, minWidth: 130 }, (apiKey) => creatorText(apiKey)),
  ];
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 4 }}>
      <Box sx={{ display: 'flex', gap: 6, alignItems: 'center', flexWrap: 'wrap', fontSize: 13 }}>
        <Fact name={t('Base URL')} text={`${location.origin}/api/v1`} />
        <Fact name={t('Tenant ID')} text={tenant.tenantId} />
      </Box>
      <RecordList
        list="API keys"
        leaveOut={LEAVE_OUT}
        query={keys}
        label={t('API keys')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={setPage}
        openId={open?.id}
        onOpen={({ id }) => setOpenId(id)}
        empty={
          <EmptyState title={t('No API keys yet')}>
            {t('Create one key for each program, so that you can revoke it separately.')}
          </EmptyState>
        }
      />
      {dialog === 'new' && (
        <NewKeyDialog
          onClose={() => onDialog(undefined)}
          onMade={(key) => {
            onDialog(undefined);
            setCreatedKey(key);
          }}
        />
      )}
      {createdKey && <CreatedKeyDialog createdKey={createdKey} tenantId={tenant.tenantId} onClose={() => setCreatedKey(undefined)} />}
      {dialog === 'test' && <TestKeyDialog tenantId={tenant.tenantId} onClose={() => onDialog(undefined)} />}
      <RecordPanel label={t('API key')} openId={open?.id} onClose={() => setOpenId(undefined)}>
        {(id) => {
          const key = keys.data?.items.find((each) => each.id === id);
          return key && <KeyDetail apiKey={key} canWrite={canWrite} />;
        }}
      </RecordPanel>
    </Box>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <CopyText text={text} label={name} />
    </Box>
  );
}

/** Tests a key as a program would use it and shows the result. */
function TestKeyDialog({ tenantId, onClose }: { tenantId: string; onClose: () => void }) {
  const [key, setKey] = useState('');
  const test = useMutation({ mutationFn: () => testKey(key.trim(), tenantId) });
  return (
    <FormDialog
      title={t('Test a key')}
      submitLabel={t('Test key')}
      cancelLabel={t('Close')}
      isBusy={test.isPending}
      isDisabled={key.trim() === ''}
      onSubmit={() => test.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="tried-key"
          label={t('Key')}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          autoFocus
          slotProps={{ htmlInput: { className: 'mono', autoComplete: 'off', spellCheck: false } }}
        />
        {test.error && <Alert severity="error">{t('The server isn’t responding.')}</Alert>}
        {test.data && <Alert severity={test.data.isValid ? 'success' : 'error'}>{test.data.message}</Alert>}
      </Box>
    </FormDialog>
  );
}
