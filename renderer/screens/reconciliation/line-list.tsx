import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Reconciliation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { RecordList } from '#renderer/kit/data-table';
import { offerUndo, RecordPanel } from '#renderer/kit/record';
import { EmptyState } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { columnsFor } from './columns.tsx';
import { LineView } from './line-view.tsx';
import { linesQuery, refreshReconciliation, reopen } from './queries.ts';
import { type KeyedLine, resolvedAnnouncement, withKeys } from './texts.ts';
import { TABS, type ViewInAddress } from './use-view.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['status', 'cause'];

interface LineListProps {
  readonly report: Reconciliation;
  readonly runId: string;
  readonly view: ViewInAddress;
}

/** Lines of a day: discrepancies, matched lines, or all. */
export function LineList({ report, runId, view: { tab, page, line: openKey, go } }: LineListProps) {
  const may = useMay();
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
  const note = (focused: KeyedLine | undefined) => {
    const wanted = focused ?? rows.find(({ status }) => status === 'open');
    if (wanted) open(wanted.key, true);
  };
  /** Opens the next discrepancy after one was resolved. The loaded rows are older, so the resolved row is skipped. */
  const afterResolving = ({ key, id }: KeyedLine, opensNext: boolean, resolvedAt: string | null) => {
    if (id !== null && resolvedAt !== null) offerUndo(resolvedAnnouncement(report), () => reopen(id, resolvedAt), refreshReconciliation);
    setNoting(opensNext);
    if (!opensNext) return;
    const at = rows.findIndex((row) => row.key === key);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find(({ status }) => status === 'open');
    go({ line: next?.key });
  };
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, flex: 1, minHeight: 240 }}>
      <TabRow
        label={t('Lines')}
        areChips
        tabs={TABS.map(({ id, name }) => ({ id, name: `${name} (${counts[id]})` }))}
        value={tab}
        onChange={(next) => go({ tab: next })}
      />
      <RecordList
        leaveOut={LEAVE_OUT}
        list={`reconciliation ${tab}`}
        query={{ ...lines, data: lines.data && { ...lines.data, items: rows } }}
        label={TABS.find(({ id }) => id === tab)?.name ?? t('Lines')}
        columns={columns}
        idOf={(row) => row.key}
        page={page}
        onPage={(next) => go({ page: next })}
        openId={openKey}
        onOpen={(row) => open(row.key, false)}
        rowKeys={may('settlement:write') ? [{ keys: 'N', label: t('Note and resolve'), run: note }] : []}
        empty={
          tab === 'matched' ? (
            <EmptyState title={t('No matched lines')}>{t('No line of this day matches on both sides.')}</EmptyState>
          ) : (
            <EmptyState title={t('No discrepancies')}>{t('All lines of this day match.')}</EmptyState>
          )
        }
      />
      <RecordPanel label={t('Line')} openId={openKey} onClose={() => go({ line: undefined })}>
        {(key, isOpen) => {
          const line = rows.find((row) => row.key === key);
          if (line) {
            return (
              <LineView
                line={line}
                takesFocus={isOpen}
                isNoting={isNoting}
                onNoting={setNoting}
                onResolved={(opensNext, resolvedAt) => afterResolving(line, opensNext, resolvedAt)}
              />
            );
          }
          return lines.isPending ? null : <EmptyState title={t('Line not found')}>{t('This line is no longer on this page.')}</EmptyState>;
        }}
      </RecordPanel>
    </Box>
  );
}
