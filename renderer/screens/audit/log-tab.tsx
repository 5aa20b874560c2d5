import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type GridColDef, useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { AuditEntry } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { actorText, EmptyState, QueryContent, SideDrawer, TimeText } from '#renderer/kit/ui';
import { actionLabel } from '#renderer/session/audit-labels';
import { useMerchant } from '#renderer/session/user';
import { EntryDetail } from './entry-detail.tsx';
import { IdCell } from './id-cell.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { type LogFilter, logQuery, PAGE_SIZE } from './queries.ts';
import { isFiltered, useLogFilter } from './use-log-filter.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['requestId', 'ip'];
const FIRST_FIELD = 'at';

/** Audit entries of the filter in the address, newest first. `verdict` is the result of the last verification. */
export function LogTab({ verdict }: { verdict: ReactNode }) {
  const { timezone } = useMerchant();
  const { filter, page, setFilter, setPage } = useLogFilter();
  const grid = useGridApiRef();
  const [opened, setOpened] = useState<AuditEntry>();
  const [isOpen, setOpen] = useState(false);
  const log = useQuery(logQuery(filter, page));
  const columns = useMemo(() => columnsFor(timezone, filter.archive !== undefined), [timezone, filter.archive]);
  const open = (entry: AuditEntry) => {
    setOpened(entry);
    setOpen(true);
  };
  const applyFilter = (next: LogFilter) => {
    setOpen(false);
    setFilter({ ...next, archive: filter.archive });
  };
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
      <LogFilterBar filter={filter} onFilter={setFilter} />
      {verdict}
      <QueryContent
        query={log}
        skeleton={<Box sx={{ flex: 1 }} />}
        isEmpty={({ total }) => total === 0}
        empty={
          isFiltered(filter) ? (
            <EmptyState title={t('No match')} action={<Button onClick={() => setFilter({})}>{t('Clear filters')}</Button>}>
              {t('No entry matches this filter. Fields match whole values; an object also matches everything below it.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No entries yet')}>{t('Changes and sign-ins appear here.')}</EmptyState>
          )
        }
      >
        {(data) => (
          <DataTable
            list="Audit log"
            leaveOut={LEAVE_OUT}
            label={t('Audit log')}
            apiRef={grid}
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.id}
            getRowClassName={({ row }) => (isOpen && row.id === opened?.id ? 'is-open' : '')}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={log.isPlaceholderData}
            onPage={setPage}
            onOpen={open}
            empty={null}
          />
        )}
      </QueryContent>
      <SideDrawer
        label={t('Audit entry')}
        openId={isOpen ? opened?.id : undefined}
        onClose={() => setOpen(false)}
        onClosed={(id) => grid.current?.getCellElement(id, FIRST_FIELD)?.focus()}
      >
        {(_, takesFocus) => opened && <EntryDetail entry={opened} takesFocus={takesFocus} onFilter={applyFilter} />}
      </SideDrawer>
    </Box>
  );
}

/** Times of other years are longer. */
function columnsFor(timeZone: string, isArchived: boolean): GridColDef<AuditEntry>[] {
  return [
    {
      field: FIRST_FIELD,
      headerName: t('Time'),
      flex: 0.7,
      minWidth: isArchived ? 184 : 132,
      renderCell: ({ row }) => <TimeText at={row.at} timeZone={timeZone} />,
    },
    { field: 'actor', headerName: t('User'), flex: 1.1, minWidth: 140, valueGetter: (_, { actor }) => actorText(actor) },
    { field: 'action', headerName: t('Action'), flex: 1.1, minWidth: 140, valueGetter: (_, { action }) => actionLabel(action) },
    {
      field: 'resource',
      headerName: t('Object'),
      flex: 1.7,
      minWidth: 180,
      renderCell: ({ row }) => (
        <Box component="span" className="mono" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {row.resource}
        </Box>
      ),
    },
    { field: 'ip', headerName: 'IP', flex: 0.6, minWidth: 96, valueGetter: (_, { ip }) => ip ?? '–' },
    {
      field: 'requestId',
      headerName: t('Request ID'),
      flex: 1.2,
      minWidth: 160,
      renderCell: ({ row, tabIndex }) => <IdCell id={row.requestId} label={t('Request ID')} tabIndex={tabIndex} />,
    },
  ];
}
