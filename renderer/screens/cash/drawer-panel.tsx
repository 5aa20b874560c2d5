import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Shift } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { KeyHint, MoneyText, QueryContent, TimeText, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { OPEN_DRAWER_KEYS, openDrawerDialog } from '#renderer/shared/receipt-queue';
import { currentShiftQuery } from '#renderer/shared/tenders';
import { CashMovementDialog, CloseShiftDialog, OpenShiftDialog } from './shift-dialogs.tsx';

type OpenDialog = 'open' | 'pay-in' | 'pay-out' | 'close';

/** State of this workstation's drawer, with the operations on its shift. */
export function DrawerPanel() {
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
