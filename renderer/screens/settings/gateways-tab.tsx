import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import type { GridColDef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Gateway, wordsOf } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useIsSandbox, useMay } from '#renderer/session';
import { Answer, ConfirmDialog, Dialog, EmptyNote, FailureNote, StatusChip } from '#renderer/ui';
import type { TabProps } from './form-tabs.tsx';
import { addGateway, changeGateway, gatewaysQuery, refreshSettings, removeGateway } from './sections.ts';

const COLUMNS: GridColDef<Gateway>[] = [
  { field: 'priority', headerName: 'Turn', width: 72, align: 'right', headerAlign: 'right' },
  { field: 'name', headerName: 'Name', flex: 1, minWidth: 140 },
  { field: 'type', headerName: 'Type', flex: 1, minWidth: 120 },
  { field: 'status', headerName: 'Status', width: 120, renderCell: ({ row }) => <StatusChip state={row.status} /> },
];

/** The gateways that take this merchant's payments, in their turn where no rule decides. */
export function GatewaysTab({ merchantId }: TabProps) {
  const gateways = useQuery(gatewaysQuery(merchantId));
  const canWrite = useMay()('merchants:write');
  const isSandbox = useIsSandbox();
  const [isNewOpen, setNewOpen] = useState(false);
  const [open, setOpen] = useState<Gateway>();
  const add = canWrite && isSandbox && (
    <Button variant="contained" color="primary" onClick={() => setNewOpen(true)}>
      Add a gateway
    </Button>
  );
  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 760 }}>
      <Box sx={{ display: 'flex', gap: 4, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary', flex: 1, minWidth: 240 }}>
          {isSandbox
            ? 'Sandbox gateways share one set of books; several of them let routing and fail-over be seen.'
            : 'There is no connector for live accounts yet.'}
        </Box>
        {add}
      </Box>
      <Answer of={gateways} skeleton={<Box sx={{ height: 160 }} />}>
        {(data) => (
          <Box sx={{ height: 280, display: 'flex' }}>
            <DataTable
              label="Gateways"
              rows={data.items}
              columns={COLUMNS}
              getRowId={(row) => row.id}
              total={data.total}
              page={1}
              pageSize={20}
              isLoading={false}
              onPage={() => undefined}
              onOpen={(row) => canWrite && setOpen(row)}
              empty={<EmptyNote title="No gateway yet">Payments are refused until there is one.</EmptyNote>}
            />
          </Box>
        )}
      </Answer>
      {isNewOpen && <NewGateway merchantId={merchantId} next={(gateways.data?.items.length ?? 0) + 1} onClose={() => setNewOpen(false)} />}
      {open && <ChangeGateway merchantId={merchantId} gateway={open} onClose={() => setOpen(undefined)} />}
    </Box>
  );
}

function NewGateway({ merchantId, next, onClose }: { merchantId: string; next: number; onClose: () => void }) {
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: () => addGateway(merchantId, { type: 'sandbox', name: name.trim(), priority: next }),
    onSuccess: () => {
      void refreshSettings();
      onClose();
    },
  });
  const isNameWrong = add.error?.field === 'name';
  return (
    <Dialog
      title="Add a gateway"
      isOpen
      onClose={onClose}
      maxWidth="xs"
      onSubmit={() => !add.isPending && add.mutate()}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={add.isPending} disabled={name.trim() === ''}>
            Add
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="gateway-name"
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoFocus
          error={isNameWrong}
          helperText={isNameWrong ? add.error?.message : 'Rules name it so, such as backup'}
          slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
        />
        {add.error && !isNameWrong && <FailureNote failure={add.error} />}
      </Box>
    </Dialog>
  );
}

function ChangeGateway({ merchantId, gateway, onClose }: { merchantId: string; gateway: Gateway; onClose: () => void }) {
  const [isRemoving, setRemoving] = useState(false);
  const done = () => {
    void refreshSettings();
    onClose();
  };
  const turn = useMutation({
    mutationFn: () => changeGateway(merchantId, gateway.id, { status: gateway.status === 'active' ? 'disabled' : 'active' }),
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: () => removeGateway(merchantId, gateway.id),
    onSuccess: done,
    onError: () => setRemoving(false),
  });
  const failure = turn.error ?? remove.error;
  return (
    <>
      <Dialog
        title={gateway.name}
        isOpen={!isRemoving}
        onClose={onClose}
        maxWidth="xs"
        actions={
          <>
            <Button variant="outlined" color="error" onClick={() => setRemoving(true)}>
              Remove
            </Button>
            <Button variant="outlined" loading={turn.isPending} onClick={() => turn.mutate()}>
              {gateway.status === 'active' ? 'Disable' : 'Enable'}
            </Button>
            <Button variant="contained" color="primary" onClick={onClose} autoFocus>
              Done
            </Button>
          </>
        }
      >
        <Box sx={{ display: 'grid', gap: 3, fontSize: 14 }}>
          <Box>
            {gateway.status === 'active'
              ? 'It takes payments as the rules say. Disabled, it is passed over; what it took can still be given back.'
              : 'It is passed over by every rule.'}
          </Box>
          {failure && <FailureNote failure={failure} />}
        </Box>
      </Dialog>
      <ConfirmDialog
        title={`Remove ${gateway.name}?`}
        isOpen={isRemoving}
        confirmLabel={`Remove ${gateway.name}`}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setRemoving(false)}
      >
        {remove.error ? wordsOf(remove.error).what : 'Payments that it took stay, and can still be given back.'}
      </ConfirmDialog>
    </>
  );
}
