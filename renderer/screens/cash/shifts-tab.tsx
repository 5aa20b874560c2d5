import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '#renderer/base/language';
import { ListFilter, RecordList, Totals } from '#renderer/kit/data-table';
import { EmptyState, FilterChip } from '#renderer/kit/ui';
import { DaysChip } from '#renderer/session/date-entry';
import { ExportCsvButton } from '#renderer/session/download';
import { PERIOD_OPTIONS } from '#renderer/session/periods';
import { useToday } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { shiftColumns } from './columns.tsx';
import { DrawerPanel } from './drawer-panel.tsx';
import { type ShiftsView, shiftsQuery, shiftsQueryOf, shiftTotalsQuery } from './queries.ts';
import type { TabProps } from './tenders-tab.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['floatAmount', 'countedAmount', 'zNumber'];

const STATUS_OPTIONS = [
  { value: 'open', name: t('Open') },
  { value: 'closed', name: t('Closed') },
] as const;

/** The shift of this workstation's drawer, and all shifts with their filters. */
export function ShiftsTab({ openId, onOpen, view, onView, onClear }: TabProps<ShiftsView>) {
  const merchant = useMerchant();
  const query = shiftsQueryOf(merchant.merchantId, useToday(), view);
  const list = useQuery(shiftsQuery(query, view.page));
  const columns = useMemo(() => shiftColumns(merchant), [merchant]);
  const total = list.data?.total ?? 0;
  const totals = useQuery({ ...shiftTotalsQuery(query, total), enabled: list.isSuccess });
  const drawers = [...new Set([...(view.drawer ? [view.drawer] : []), ...(list.data?.items ?? []).map(({ drawer }) => drawer)])].toSorted();
  const isFiltered = [view.shiftStatus, view.drawer || undefined, view.period, view.startDate, view.endDate].some(
    (one) => one !== undefined,
  );
  return (
    <>
      <Box sx={{ display: 'flex' }}>
        <DrawerPanel />
      </Box>
      <ListFilter
        isFiltered={isFiltered}
        onClear={onClear}
        action={
          <ExportCsvButton
            area="shifts"
            file={{ path: '/api/v1/shifts/export', query, name: 'shifts.csv', rows: total }}
            exported={(count) => t('{{count, number}} shifts exported', { count })}
          />
        }
      >
        <DaysChip
          label={t('Period')}
          presets={PERIOD_OPTIONS}
          value={view}
          onChange={({ period, startDate, endDate }) => onView({ period, startDate, endDate })}
        />
        <FilterChip
          label={t('Status')}
          options={STATUS_OPTIONS}
          value={view.shiftStatus}
          onChange={(chosen) => onView({ shiftStatus: STATUS_OPTIONS.find(({ value }) => value === chosen)?.value })}
        />
        <FilterChip
          label={t('Drawer')}
          options={drawers.map((value) => ({ value, name: value }))}
          value={view.drawer || undefined}
          onChange={(drawer = '') => onView({ drawer })}
        />
      </ListFilter>
      <RecordList
        list="Shifts"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Shifts')}
        columns={columns}
        idOf={(row) => row.shiftId}
        page={view.page}
        onPage={(page) => onView({ page })}
        totals={<Totals label={t('Variance of closed shifts')} totals={totals.data} />}
        openId={openId}
        onOpen={(row) => onOpen(row.shiftId)}
        empty={
          isFiltered ? (
            <EmptyState title={t('No shifts match')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
              {t('Change the filter to see others.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No shifts yet')}>{t('Open a shift to count the cash of this drawer.')}</EmptyState>
          )
        }
      />
    </>
  );
}
