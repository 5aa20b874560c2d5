import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Reconciliation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { announce, EmptyState, QueryContent, SideDrawer, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { columnsFor, FIRST_FIELD } from './columns.tsx';
import { LineView } from './line-view.tsx';
import { linesQuery, PAGE_SIZE } from './queries.ts';
import { resolvedAnnouncement, withKeys } from './texts.ts';
import { TABS, type TabId, type ViewInAddress } from './use-view.ts';

interface LineListProps {
  readonly report: Reconciliation;
  readonly runId: string;
  readonly view: ViewInAddress;
}

/** Lines of a day: discrepancies, matched lines, or all. */
export function LineList({ report, runId, view: { tab, page, line: openKey, go } }: LineListProps) {
  const may = useMay();
  const grid = useGridApiRef();
  const [isNoting, setNoting] = useState(false);
  const lines = useQuery(linesQuery(report.date, runId, tab, page));
  const rows = useMemo(() => withKeys(lines.data?.items ?? []), [lines.data]);
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
  const focusedRow = () => rows.findIndex(({ key }) => key === (openKey ?? grid.current?.state.focus.cell?.id));
  /** Moves to the next or previous row; if a row is open, the new one is opened. */
  const step = (direction: 1 | -1) => {
    const at = focusedRow();
    const next = rows[at < 0 ? 0 : at + direction];
    if (!next) return;
    if (openKey !== undefined) open(next.key, false);
    else grid.current?.setCellFocus(next.key, FIRST_FIELD);
  };
  const note = () => {
    const wanted = rows[focusedRow()] ?? rows.find(({ status }) => status === 'open');
    if (wanted) open(wanted.key, true);
  };
  /** Opens the next discrepancy after one was resolved. The loaded rows are older, so the resolved row is skipped. */
  const afterResolving = (key: string, opensNext: boolean) => {
    announce(resolvedAnnouncement(report));
    setNoting(opensNext);
    if (!opensNext) return;
    const at = rows.findIndex((row) => row.key === key);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find(({ status }) => status === 'open');
    go({ line: next?.key });
  };
  useShortcuts(t('Reconciliation, lines'), [
    { keys: 'J', label: t('Next line'), run: () => step(1) },
    { keys: 'K', label: t('Previous line'), run: () => step(-1) },
    ...(may('settlement:write') ? [{ keys: 'N', label: t('Note and resolve'), run: note }] : []),
  ]);

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, flex: 1, minHeight: 240 }}>
      <Tabs value={tab} onChange={(_, next: TabId) => go({ tab: next })} aria-label={t('Lines')}>
        {TABS.map(({ id, name }) => (
          <Tab key={id} value={id} label={`${name} (${counts[id]})`} />
        ))}
      </Tabs>
      <QueryContent query={lines} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            list={`reconciliation ${tab}`}
            label={TABS.find(({ id }) => id === tab)?.name ?? t('Lines')}
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
                <EmptyState title={t('No matched lines')}>{t('No line of this day matches on both sides.')}</EmptyState>
              ) : (
                <EmptyState title={t('No discrepancies')}>{t('All lines of this day match.')}</EmptyState>
              )
            }
          />
        )}
      </QueryContent>
      <SideDrawer
        label={t('Line')}
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
                onResolved={(opensNext) => afterResolving(key, opensNext)}
              />
            );
          }
          return lines.isPending ? null : <EmptyState title={t('Line not found')}>{t('This line is no longer on this page.')}</EmptyState>;
        }}
      </SideDrawer>
    </Box>
  );
}
