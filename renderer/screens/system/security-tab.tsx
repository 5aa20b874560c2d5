import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, type SecurityActivity, type SecurityQuery, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ListFilter, RecordList, textColumn, timeColumn } from '#renderer/kit/data-table';
import { actorText, deviceText, EmptyState, FilterChip, SearchBox } from '#renderer/kit/ui';
import { actionLabel } from '#renderer/session/audit-labels';
import { DaysChip } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { detailsText, SECURITY_KINDS } from './security-kinds.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['userAgent', 'ip', 'details', 'action'];
const PAGE_SIZE = 50;
const KINDS = Object.entries(SECURITY_KINDS).map(([value, name]) => ({ value, name }));

type Filter = Pick<SecurityQuery, 'kind' | 'user' | 'startDate' | 'endDate'>;

/** Sign-ins and changes of access, newest first. A click opens the audit log at the entries of the same request. */
export function SecurityTab() {
  const { timezone } = useMerchant();
  const navigate = useNavigate();
  const [filter, setFilter] = useState<Filter>({});
  const [page, setPage] = useState(1);
  const activity = useQuery({
    queryKey: ['audit', 'security', filter, page],
    queryFn: ({ signal }) =>
      takePage(api.GET('/api/v1/security-activity', { params: { query: { ...filter, page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const columns = useMemo(() => columnsFor(timezone), [timezone]);
  const show = (next: Filter) => {
    setFilter(next);
    setPage(1);
  };
  const change = (next: Partial<Filter>) =>
    show(Object.fromEntries(Object.entries({ ...filter, ...next }).filter(([, value]) => value !== undefined)));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <ListFilter isFiltered={isFiltered} onClear={() => show({})}>
        <SearchBox
          label={t('User, by email address or ID')}
          placeholder={t('User, by email address or ID')}
          widthPx={280}
          value={filter.user ?? ''}
          onSearch={(user) => change({ user: user || undefined })}
        />
        <FilterChip label={t('Kind')} options={KINDS} value={filter.kind} onChange={(kind) => change({ kind: kind as Filter['kind'] })} />
        <DaysChip label={t('Period')} value={filter} onChange={({ startDate, endDate }) => change({ startDate, endDate })} />
      </ListFilter>
      <Box sx={{ height: 560, display: 'flex', flexDirection: 'column' }}>
        <RecordList
          list="Security activity"
          leaveOut={LEAVE_OUT}
          query={activity}
          label={t('Security activity')}
          columns={columns}
          idOf={(row) => row.id}
          page={page}
          onPage={setPage}
          onOpen={({ requestId }) => void navigate(`/audit?requestId=${encodeURIComponent(requestId)}`)}
          empty={
            <EmptyState title={t('No activity')} action={isFiltered && <Button onClick={() => show({})}>{t('Clear filters')}</Button>}>
              {t('Sign-ins and changes of users, roles, keys and message channels appear here.')}
            </EmptyState>
          }
        />
      </Box>
    </Box>
  );
}

function columnsFor(timeZone: string): GridColDef<SecurityActivity>[] {
  return [
    timeColumn('at', t('Time'), { flex: 0.7, minWidth: 132 }, timeZone, (row) => row.at),
    { field: 'kind', headerName: t('Kind'), flex: 0.9, minWidth: 244, valueGetter: (_, { kind }) => SECURITY_KINDS[kind] },
    textColumn('actor', t('User'), { flex: 1.2, minWidth: 150 }, ({ actor }) => actorText(actor)),
    textColumn('action', t('Action'), { flex: 1, minWidth: 210 }, ({ action }) => actionLabel(action)),
    { field: 'details', headerName: t('Details'), flex: 1.6, minWidth: 150, valueGetter: (_, row) => detailsText(row) },
    { field: 'ip', headerName: t('IP address'), flex: 0.7, minWidth: 100, valueGetter: (_, { ip }) => ip ?? '–' },
    {
      field: 'userAgent',
      headerName: t('Device'),
      flex: 1,
      minWidth: 140,
      renderCell: ({ row }) => <span title={row.userAgent ?? undefined}>{deviceText(row.userAgent)}</span>,
    },
  ];
}
