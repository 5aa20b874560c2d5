import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Delivery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type BulkAction, figureColumn, RecordList, statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { EmptyState, exactTime, FilterChip, SearchBox, statusStyle, useShortcuts } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { faultText } from './fault-texts.ts';
import { deliveriesQuery, type LogFilter, redeliver, refreshWebhooks } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['durationMs', 'attemptCount', 'nextAttemptAt', 'answer'];

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
}

/** Deliveries of an endpoint, newest first. One field filters by event type or transaction ID. */
export function DeliveryLog({ endpointId, openId, onOpen }: DeliveryLogProps) {
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
  const canWrite = useMay()('webhooks:write');
  const bulk = useMemo(
    (): readonly BulkAction<Delivery>[] =>
      canWrite
        ? [
            {
              label: t('Redeliver'),
              explain: (rows) => t('Sends {{count, number}} events to the endpoint again.', { count: rows.length }),
              run: async ({ id }) => {
                const { error, status } = await redeliver(endpointId, id);
                return error === null ? t('Delivered.') : statusStyle(status, 'delivery').label;
              },
              onDone: () => void refreshWebhooks(),
            },
          ]
        : [],
    [canWrite, endpointId],
  );
  const isFiltered = text !== '' || status !== undefined;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <SearchBox
          label={t('Filter the log')}
          placeholder={t('Event type or transaction ID')}
          widthPx={300}
          value={text}
          inputRef={searchField}
          onSearch={(next) => applyFilter(setText, next)}
        />
        <FilterChip
          label={t('Status')}
          options={STATUSES}
          value={status}
          onChange={(value) => applyFilter(setStatus, value as Delivery['status'] | undefined)}
        />
      </Box>
      <RecordList
        bulk={bulk}
        nameOf={({ eventType, resourceId }) => `${eventType}, ${resourceId}`}
        list="Deliveries"
        leaveOut={LEAVE_OUT}
        query={log}
        label={t('Deliveries')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={setPage}
        openId={openId}
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
    timeColumn(FIRST_FIELD, t('Time'), { flex: 0.8, minWidth: 138 }, timeZone, (row) => row.createdAt),
    textColumn('eventType', t('Event'), { flex: 1.2, minWidth: 190 }, (row) =>
      row.test ? t('{{event}} (test)', { event: row.eventType }) : row.eventType,
    ),
    statusColumn({ flex: 0.7, minWidth: 112 }, (row) => row.status, 'delivery'),
    { field: 'attemptCount', headerName: t('Attempts'), flex: 0.4, minWidth: 84, align: 'right', headerAlign: 'right' },
    { field: 'answer', headerName: t('Last response'), flex: 1, minWidth: 130, valueGetter: (_, row) => lastResponseText(row) },
    figureColumn('durationMs', t('Duration'), { flex: 0.4, minWidth: 76 }, ({ durationMs }) =>
      durationMs === null ? '' : `${durationMs} ms`,
    ),
    textColumn('nextAttemptAt', t('Next attempt'), { flex: 1, minWidth: 150 }, ({ nextAttemptAt, status }) => {
      if (nextAttemptAt === null) return status === 'pending' ? t('after the previous event') : '';
      return Date.parse(nextAttemptAt) <= nowMs ? t('now') : exactTime(nextAttemptAt, timeZone);
    }),
  ];
}

function lastResponseText({ responseStatus, error, attemptCount }: Delivery): string {
  if (attemptCount === 0) return '';
  if (error === null) return '200';
  return responseStatus === null ? faultText(error.kind) : `${faultText(error.kind)} (${responseStatus})`;
}
