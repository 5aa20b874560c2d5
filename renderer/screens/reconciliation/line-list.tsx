import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Reconciliation } from '#renderer/client';
import { DataTable } from '#renderer/data-table';
import { useMay } from '#renderer/session';
import { Answer, announce, EmptyNote, SideDrawer, useShortcuts } from '#renderer/ui';
import { columnsFor, FIRST_FIELD } from './columns.tsx';
import { LineView } from './line-view.tsx';
import { linesQuery, PAGE_SIZE } from './queries.ts';
import { TABS, type TabId, type ViewInAddress } from './use-view.ts';
import { afterwards, keyed } from './words.ts';

interface LineListProps {
  readonly report: Reconciliation;
  readonly runId: string;
  readonly view: ViewInAddress;
}

/** The lines of a day: what differs, what matches, or both. */
export function LineList({ report, runId, view: { tab, page, line: openKey, go } }: LineListProps) {
  const may = useMay();
  const grid = useGridApiRef();
  const [isNoting, setNoting] = useState(false);
  const lines = useQuery(linesQuery(report.date, runId, tab, page));
  const rows = useMemo(() => keyed(lines.data?.items ?? []), [lines.data]);
  const { currency, totals } = report;
  const isOneCurrency = totals.every((total) => total.currency === currency);
  const columns = useMemo(() => columnsFor(isOneCurrency ? currency : null), [isOneCurrency, currency]);
  const counts = {
    discrepancies: report.discrepancyCount,
    matched: report.matchedCount,
    all: report.discrepancyCount + report.matchedCount,
  };

  const open = (key: string, noting: boolean) => {
    setNoting(noting);
    go({ line: key });
  };
  const atRow = () => rows.findIndex(({ key }) => key === (openKey ?? grid.current?.state.focus.cell?.id));
  /** Walks the rows, and where one is open opens the next. */
  const step = (by: 1 | -1) => {
    const at = atRow();
    const next = rows[at < 0 ? 0 : at + by];
    if (!next) return;
    if (openKey !== undefined) open(next.key, false);
    else grid.current?.setCellFocus(next.key, FIRST_FIELD);
  };
  const note = () => {
    const wanted = rows[atRow()] ?? rows.find(({ status }) => status === 'open');
    if (wanted) open(wanted.key, true);
  };
  /** The rows at hand are from before: the one that was just resolved is passed over. */
  const afterResolving = (key: string, goesOn: boolean) => {
    announce(afterwards(report));
    setNoting(goesOn);
    if (!goesOn) return;
    const at = rows.findIndex((row) => row.key === key);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find(({ status }) => status === 'open');
    go({ line: next?.key });
  };
  useShortcuts('Reconciliation, lines', [
    { keys: 'J', label: 'Next line', run: () => step(1) },
    { keys: 'K', label: 'Previous line', run: () => step(-1) },
    ...(may('settlement:write') ? [{ keys: 'N', label: 'Note and resolve', run: note }] : []),
  ]);

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, flex: 1, minHeight: 240 }}>
      <Tabs value={tab} onChange={(_, next: TabId) => go({ tab: next })} aria-label="Which lines">
        {TABS.map(({ id, name }) => (
          <Tab key={id} value={id} label={`${name} (${counts[id]})`} />
        ))}
      </Tabs>
      <Answer of={lines} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            label={TABS.find(({ id }) => id === tab)?.name ?? 'Lines'}
            apiRef={grid}
            rows={rows}
            columns={columns}
            getRowId={(row) => row.key}
            getRowClassName={({ row }) => (row.key === openKey ? 'is-open' : '')}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={lines.isPlaceholderData}
            onPage={(next) => go({ page: next })}
            onOpen={(row) => open(row.key, false)}
            empty={
              tab === 'matched' ? (
                <EmptyNote title="Nothing matched">No line of this day is the same on both sides.</EmptyNote>
              ) : (
                <EmptyNote title="No discrepancy">Both sides are the same, line for line.</EmptyNote>
              )
            }
          />
        )}
      </Answer>
      <SideDrawer
        label="Line"
        openId={openKey}
        onClose={() => go({ line: undefined })}
        onClosed={(key) => grid.current?.getRow(key) && grid.current.setCellFocus(key, FIRST_FIELD)}
      >
        {(key, isOpen) => {
          const line = rows.find((row) => row.key === key);
          if (line) {
            return (
              <LineView
                line={line}
                takesFocus={isOpen}
                isNoting={isNoting}
                onNoting={setNoting}
                onResolved={(goesOn) => afterResolving(key, goesOn)}
              />
            );
          }
          return lines.isPending ? null : <EmptyNote title="No longer here">This line is not on this page of the day any more.</EmptyNote>;
        }}
      </SideDrawer>
    </Box>
  );
}
