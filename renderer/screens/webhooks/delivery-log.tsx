import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import type { GridApi, GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useMemo, useRef, useState } from 'react';
import type { Delivery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { EmptyState, exactTime, FilterChip, QueryContent, StatusChip, TimeText, useShortcuts } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { faultText } from './fault-texts.ts';
import { deliveriesQuery, type LogFilter, PAGE_SIZE } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['durationMs', 'attemptCount'];

export const FIRST_FIELD = 'createdAt';
const TICK_MS = 15_000;
const STATUSES = [
  { value: 'pending', name: t('Pending') },
  { value: 'delivered', name: t('Delivered') },
  { value: 'failed', name: t('Failed') },
] as const;

interface DeliveryLogProps {
  readonly endpointId: string;
  readonly openId: string | undefined;
  readonly onOpen: (deliveryId: string) => void;
  readonly apiRef: RefObject<GridApi | null>;
}

/** Deliveries of an endpoint, newest first. One field filters by event type or transaction ID. */
export function DeliveryLog({ endpointId, openId, onOpen, apiRef }: DeliveryLogProps) {
  const { timezone } = useMerchant();
  const nowMs = useTenantNow(TICK_MS);
  const [status, setStatus] = useState<Delivery['status']>();
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const searchField = useRef<HTMLInputElement>(null);
  const filter = useMemo(() => filterOf(text, status), [text, status]);
  const log = useQuery(deliveriesQuery(endpointId, filter, page));
  const columns = useMemo(() => columnsFor(timezone, nowMs), [timezone, nowMs]);
  useShortcuts(t('Delivery log'), [{ keys: '/', label: t('Filter the log'), run: () => searchField.current?.focus() }]);
  const applyFilter = <Value,>(set: (value: Value) => void, value: Value) => {
    set(value);
    setPage(1);
  };
  const isFiltered = text !== '' || status !== undefined;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <TextField
          id="log-filter"
          size="small"
          label={t('Event type or transaction ID')}
          value={text}
          inputRef={searchField}
          onChange={(event) => applyFilter(setText, event.target.value)}
          sx={{ width: 300 }}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, 'aria-keyshortcuts': '/' } }}
        />
        <FilterChip
          label={t('Status')}
          options={STATUSES}
          value={status}
          onChange={(value) => applyFilter(setStatus, value as Delivery['status'] | undefined)}
        />
      </Box>
      <QueryContent query={log} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            list="Deliveries"
            leaveOut={LEAVE_OUT}
            label={t('Deliveries')}
            apiRef={apiRef}
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.id}
            getRowClassName={({ row }) => (row.id === openId ? 'is-open' : '')}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={log.isPlaceholderData}
            onPage={setPage}
            onOpen={(row) => onOpen(row.id)}
            empty={
              isFiltered ? (
                <EmptyState
                  title={t('No match')}
                  action={
                    <Button
                      onClick={() => {
                        applyFilter(setText, '');
                        setStatus(undefined);
                      }}
                    >
                      {t('Clear filters')}
                    </Button>
                  }
                >
                  {t('No delivery of this endpoint matches the filter.')}
                </EmptyState>
              ) : (
                <EmptyState title={t('No deliveries yet')}>{t('Send a test event or make a sale; its delivery appears here.')}</EmptyState>
              )
            }
          />
        )}
      </QueryContent>
    </>
  );
}

function filterOf(text: string, status: Delivery['status'] | undefined): LogFilter {
  const query = text.trim();
  const subject = query === '' ? {} : query.startsWith('txn_') ? { resourceId: query } : { eventType: query };
  return { ...subject, ...(status && { status }) };
}

function columnsFor(timeZone: string, nowMs: number): GridColDef<Delivery>[] {
  return [
    {
      field: FIRST_FIELD,
      headerName: t('Time'),
      flex: 0.8,
      minWidth: 138,
      renderCell: ({ row }) => <TimeText at={row.createdAt} timeZone={timeZone} />,
    },
    {
      field: 'eventType',
      headerName: t('Event'),
      flex: 1.2,
      minWidth: 190,
      valueGetter: (_, row) => (row.test ? t('{{event}} (test)', { event: row.eventType }) : row.eventType),
    },
    {
      field: 'status',
      headerName: t('Status'),
      flex: 0.7,
      minWidth: 112,
      renderCell: ({ row }) => <StatusChip state={row.status} of="delivery" />,
    },
    { field: 'attemptCount', headerName: t('Attempts'), flex: 0.4, minWidth: 84, align: 'right', headerAlign: 'right' },
    { field: 'answer', headerName: t('Last response'), flex: 1, minWidth: 130, valueGetter: (_, row) => lastResponseText(row) },
    {
      field: 'durationMs',
      headerName: t('Duration'),
      flex: 0.4,
      minWidth: 76,
      align: 'right',
      headerAlign: 'right',
      valueGetter: (_, { durationMs }) => (durationMs === null ? '' : `${durationMs} ms`),
    },
    {
      field: 'nextAttemptAt',
      headerName: t('Next attempt'),
      flex: 1,
      minWidth: 150,
      valueGetter: (_, { nextAttemptAt, status }) => {
        if (nextAttemptAt === null) return status === 'pending' ? t('after the previous event') : '';
        return Date.parse(nextAttemptAt) <= nowMs ? t('now') : exactTime(nextAttemptAt, timeZone);
      },
    },
  ];
}

function lastResponseText({ responseStatus, error, attemptCount }: Delivery): string {
  if (attemptCount === 0) return '';
  if (error === null) return '200';
  return responseStatus === null ? faultText(error.kind) : `${faultText(error.kind)} (${responseStatus})`;
}
