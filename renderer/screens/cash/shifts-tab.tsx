import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Shift } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { DataTable, stepRows } from '#renderer/kit/data-table';
import { EmptyState, KeyHint, MoneyText, QueryContent, TimeText, useShortcuts } from '#renderer/kit/ui';
import { ExportCsvButton } from '#renderer/session/download';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { OPEN_DRAWER_KEYS, openDrawerDialog } from '#renderer/shared/receipt-queue';
import { currentShiftQuery } from '#renderer/shared/tenders';
import { shiftColumns } from './columns.tsx';
import { PAGE_SIZE, shiftsQuery } from './queries.ts';
import { CashMovementDialog, CloseShiftDialog, OpenShiftDialog } from './shift-dialogs.tsx';
import type { TabProps } from './tenders-tab.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['floatAmount', 'countedAmount', 'zNumber'];

interface ShiftsTabProps extends TabProps {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** The shift of this workstation's drawer, and all shifts. */
export function ShiftsTab({ grid, openId, onOpen, page, onPage }: ShiftsTabProps) {
  const merchant = useMerchant();
  const list = useQuery(shiftsQuery(merchant.merchantId, page));
  const columns = useMemo(() => shiftColumns(merchant), [merchant]);
  const total = list.data?.total ?? 0;
  const step = (offset: 1 | -1) => {
    const ids = list.data?.items.map((row) => row.shiftId) ?? [];
    stepRows({ grid, ids, openId, onOpen, field: 'openedAt' }, offset);
  };
  useShortcuts(t('Cash and checks'), [
    { keys: 'J', label: t('Next shift'), run: () => step(1) },
    { keys: 'K', label: t('Previous shift'), run: () => step(-1) },
  ]);
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
      <QueryContent query={list} skeleton={<Box sx={{ flex: 1 }} />}>
        {(data) => (
          <DataTable
            list="Shifts"
            leaveOut={LEAVE_OUT}
            label={t('Shifts')}
            apiRef={grid}
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.shiftId}
            getRowClassName={({ row }) => (row.shiftId === openId ? 'is-open' : '')}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={list.isPlaceholderData}
            onPage={onPage}
            onOpen={(row) => onOpen(row.shiftId)}
            empty={<EmptyState title={t('No shifts yet')}>{t('Open a shift to count the cash of this drawer.')}</EmptyState>}
          />
        )}
      </QueryContent>
    </>
  );
}

type OpenDialog = 'open' | 'pay-in' | 'pay-out' | 'close';

/** State of this workstation's drawer, with the operations on its shift. */
function DrawerPanel() {
  const { merchantId } = useMerchant();
  const drawer = useWorkstation((settings) => settings.drawer);
  const may = useMay();
  const current = useQuery(currentShiftQuery(merchantId, drawer));
  const [dialog, setDialog] = useState<OpenDialog>();
  const [subject, setSubject] = useState<Shift>();
  const shift = current.data ?? null;
  const canWrite = may('shifts:write') && current.data !== undefined;
  const print = usePrintReceipt();
  const show = (next: OpenDialog) => {
    setSubject(shift ?? undefined);
    setDialog(next);
  };
  const close = () => setDialog(undefined);
  const printX = () => shift && void print({ shift, copy: 'merchant' });
  const isOpen = canWrite && shift !== null;
  useShortcuts(t('This drawer'), [
    ...(canWrite && shift === null ? [{ keys: 'O', label: t('Open shift'), run: () => show('open') }] : []),
    ...(isOpen
      ? [
          { keys: 'I', label: t('Pay in'), run: () => show('pay-in') },
          { keys: 'U', label: t('Pay out', { context: 'cash' }), run: () => show('pay-out') },
          { keys: 'C', label: t('Close shift'), run: () => show('close') },
        ]
      : []),
    ...(shift ? [{ keys: 'X', label: t('Print the X report'), run: printX }] : []),
  ]);
  return (
    <Box
      component="section"
      aria-label={drawer}
      sx={(theme) => ({
        flex: 1,
        minWidth: 320,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <QueryContent query={current}>{(found) => <DrawerState drawer={drawer} shift={found} />}</QueryContent>
      <Box sx={{ marginInlineStart: 'auto', display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {canWrite && shift === null && (
          <Button variant="contained" color="primary" onClick={() => show('open')} endIcon={<KeyHint keys="O" />} aria-keyshortcuts="O">
            {t('Open shift')}
          </Button>
        )}
        {isOpen && (
          <>
            <Button onClick={() => show('pay-in')} endIcon={<KeyHint keys="I" />} aria-keyshortcuts="I">
              {t('Pay in')}
            </Button>
            <Button onClick={() => show('pay-out')} endIcon={<KeyHint keys="U" />} aria-keyshortcuts="U">
              {t('Pay out', { context: 'cash' })}
            </Button>
          </>
        )}
        {may('tenders:write') && (
          <Button onClick={openDrawerDialog} endIcon={<KeyHint keys={OPEN_DRAWER_KEYS} />} aria-keyshortcuts="Control+O">
            {t('Open drawer')}
          </Button>
        )}
        {shift && (
          <Button onClick={printX} endIcon={<KeyHint keys="X" />} aria-keyshortcuts="X">
            {t('X report')}
          </Button>
        )}
        {isOpen && (
          <Button variant="contained" color="primary" onClick={() => show('close')} endIcon={<KeyHint keys="C" />} aria-keyshortcuts="C">
            {t('Close shift')}
          </Button>
        )}
      </Box>
      {dialog === 'open' && <OpenShiftDialog drawer={drawer} onClose={close} />}
      {(dialog === 'pay-in' || dialog === 'pay-out') && subject && <CashMovementDialog shift={subject} kind={dialog} onClose={close} />}
      {dialog === 'close' && subject && <CloseShiftDialog shift={subject} onClose={close} />}
    </Box>
  );
}

function DrawerState({ drawer, shift }: { drawer: string; shift: Shift | null }) {
  const { timezone } = useMerchant();
  return (
    <Box>
      <Box sx={{ fontWeight: 600 }}>{drawer}</Box>
      {shift === null ? (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No open shift')}</Box>
      ) : (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          <Trans
            i18nKey="Open since <0/> by {{user}}. Float: <1/>"
            components={[
              <TimeText key="0" at={shift.openedAt} timeZone={timezone} />,
              <MoneyText key="1" amount={shift.floatAmount} currency={shift.currency} />,
            ]}
            values={{ user: shift.openedBy }}
          />
        </Box>
      )}
    </Box>
  );
}
