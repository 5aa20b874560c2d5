import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AuditEntry } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useMerchant } from '#renderer/session';
import { Answer, EmptyNote, SideDrawer, TimeText } from '#renderer/ui';
import { ChainCheck } from './chain-check.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { type LogFilter, logQuery, PAGE_SIZE } from './queries.ts';
import { actionText } from './words.ts';

const NAMES = ['actor', 'action', 'resource', 'requestId', 'startDate', 'endDate'] as const;

/** The entries that the address names, newest first. */
export function LogTab() {
  const { timezone } = useMerchant();
  const [search, setSearch] = useSearchParams();
  const [openId, setOpenId] = useState<string>();
  const filter: LogFilter = Object.fromEntries(NAMES.map((name) => [name, search.get(name) ?? undefined]).filter(([, value]) => value));
  const page = Number(search.get('page') ?? 1);
  const log = useQuery(logQuery(filter, page));
  const open = log.data?.items.find(({ id }) => id === openId);
  const show = (next: LogFilter, at = 1) => {
    const given = Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1]));
    setSearch([...given, ...(at > 1 ? [['page', String(at)] as [string, string]] : [])]);
  };
  const columns: GridColDef<AuditEntry>[] = [
    { field: 'at', headerName: 'Time', flex: 0.8, minWidth: 120, renderCell: ({ row }) => <TimeText at={row.at} timeZone={timezone} /> },
    { field: 'actor', headerName: 'Who', flex: 1.2, minWidth: 150 },
    { field: 'action', headerName: 'Did', flex: 1.2, minWidth: 160, valueGetter: (_, { action }) => actionText(action) },
    {
      field: 'resource',
      headerName: 'To',
      flex: 1.8,
      minWidth: 180,
      renderCell: ({ row }) => <span className="mono">{row.resource}</span>,
    },
    { field: 'ip', headerName: 'From', flex: 0.6, minWidth: 96, valueGetter: (_, { ip }) => ip ?? '–' },
  ];
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
      <LogFilterBar filter={filter} onFilter={show} />
      <ChainCheck />
      <Answer of={log} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            label="Audit log"
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.id}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={log.isFetching}
            onPage={(next) => show(filter, next)}
            onOpen={({ id }) => setOpenId(id)}
            empty={<EmptyNote title="No match">Nothing was done that this filter names.</EmptyNote>}
          />
        )}
      </Answer>
      <SideDrawer label="Audit entry" openId={open?.id} onClose={() => setOpenId(undefined)}>
        {() => open && <EntryDetail entry={open} onFilter={(next) => show(next)} />}
      </SideDrawer>
    </Box>
  );
}
