import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '#renderer/base/language';
import { RecordList } from '#renderer/kit/data-table';
import { EmptyState } from '#renderer/kit/ui';
import { ExportCsvButton } from '#renderer/session/download';
import { useMerchant } from '#renderer/session/user';
import { shiftColumns } from './columns.tsx';
import { DrawerPanel } from './drawer-panel.tsx';
import { shiftsQuery } from './queries.ts';
import type { TabProps } from './tenders-tab.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['floatAmount', 'countedAmount', 'zNumber'];

interface ShiftsTabProps extends TabProps {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** The shift of this workstation's drawer, and all shifts. */
export function ShiftsTab({ openId, onOpen, page, onPage }: ShiftsTabProps) {
  const merchant = useMerchant();
  const list = useQuery(shiftsQuery(merchant.merchantId, page));
  const columns = useMemo(() => shiftColumns(merchant), [merchant]);
  const total = list.data?.total ?? 0;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, alignItems: 'flex-start' }}>
        <DrawerPanel />
        <ExportCsvButton
          area="shifts"
          file={{ path: '/api/v1/shifts/export', query: { merchantId: merchant.merchantId }, name: 'shifts.csv', rows: total }}
          exported={(count) => t('{{count, number}} shifts exported', { count })}
        />
      </Box>
      <RecordList
        list="Shifts"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Shifts')}
        columns={columns}
        idOf={(row) => row.shiftId}
        page={page}
        onPage={onPage}
        openId={openId}
        onOpen={(row) => onOpen(row.shiftId)}
        empty={<EmptyState title={t('No shifts yet')}>{t('Open a shift to count the cash of this drawer.')}</EmptyState>}
      />
    </>
  );
}
