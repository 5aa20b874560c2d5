import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { AuditEntry } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordList, timeColumn } from '#renderer/kit/data-table';
import { RecordPanel } from '#renderer/kit/record';
import { actorText, copyLabel, copyText, EmptyState } from '#renderer/kit/ui';
import { actionLabel } from '#renderer/session/audit-labels';
import { useMerchant } from '#renderer/session/user';
import { EntryDetail } from './entry-detail.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { type LogFilter, logQuery } from './queries.ts';
import { stopRowEvents } from './stop-row-events.ts';
import { isFiltered, useLogFilter } from './use-log-filter.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['requestId', 'ip', 'resource', 'actor'];
const FIRST_FIELD = 'at';

/** Audit entries of the filter in the address, newest first. `verdict` is the result of the last verification. */
export function LogTab({ verdict }: { verdict: ReactNode }) {
  const { timezone } = useMerchant();
  const { filter, page, setFilter, setPage } = useLogFilter();
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
      <RecordList
        list="Audit log"
        leaveOut={LEAVE_OUT}
        query={log}
        label={t('Audit log')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={setPage}
        openId={opened?.id}
        onOpen={open}
        empty={
          isFiltered(filter) ? (
            <EmptyState title={t('No match')} action={<Button onClick={() => setFilter({})}>{t('Clear filters')}</Button>}>
              {t('No entry matches this filter. Fields match whole values; an object also matches everything below it.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No entries yet')}>{t('Changes and sign-ins appear here.')}</EmptyState>
          )
        }
      />
      <RecordPanel label={t('Audit entry')} openId={isOpen ? opened?.id : undefined} onClose={() => setOpen(false)}>
        {(id, takesFocus) => {
          const entry = opened?.id === id ? opened : log.data?.items.find((each) => each.id === id);
          return entry && <EntryDetail entry={entry} takesFocus={takesFocus} onFilter={applyFilter} />;
        }}
      </RecordPanel>
    </Box>
  );
}

/** Times of other years are longer. */
function columnsFor(timeZone: string, isArchived: boolean): GridColDef<AuditEntry>[] {
  return [
    timeColumn(FIRST_FIELD, t('Time'), { flex: 0.7, minWidth: isArchived ? 184 : 132 }, timeZone, (row) => row.at),
    { field: 'actor', headerName: t('User'), flex: 1.1, minWidth: 140, valueGetter: (_, { actor }) => actorText(actor) },
    { field: 'action', headerName: t('Action'), flex: 1.1, minWidth: 204, valueGetter: (_, { action }) => actionLabel(action) },
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

/** An ID in a table row, with a button that copies it without opening the row. */
function IdCell({ id, label, tabIndex }: { id: string; label: string; tabIndex: 0 | -1 }) {
  return (
    <>
      <Box component="span" className="mono" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0 }}>
        {id}
      </Box>
      <IconButton
        size="small"
        tabIndex={tabIndex}
        title={copyLabel(label)}
        aria-label={`${copyLabel(label)} ${id}`}
        {...stopRowEvents(() => void copyText(id, label))}
      >
        <Copy size={14} aria-hidden />
      </IconButton>
    </>
  );
}
