import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Shift } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { OPEN_DRAWER_KEYS, openDrawerDialog } from '#renderer/shared/receipt-queue';
import { currentShiftQuery } from '#renderer/shared/tenders';
import { CashMovementDialog, CloseShiftDialog, OpenShiftDialog } from './shift-dialogs.tsx';

type OpenDialog = 'open' | 'pay-in' | 'pay-out' | 'close';

interface DrawerAction {
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  readonly isPrimary?: boolean;
  /** True if its key works on every screen. */
  readonly isGlobal?: boolean;
}

interface Drawer {
  readonly name: string;
  /** The open shift of the drawer; null if there is none. */
  readonly current: UseQueryResult<Shift | null>;
  readonly actions: readonly DrawerAction[];
  readonly dialog: ReactNode;
}

/** The cash drawer of this workstation, with what can be done with it and its shift. */
export function useDrawer(): Drawer {
  const { merchantId } = useMerchant();
  const name = useWorkstation((settings) => settings.drawer);
  const may = useMay();
  const current = useQuery({ ...currentShiftQuery(merchantId, name), enabled: may('shifts:read') });
  const [dialog, setDialog] = useState<{ readonly kind: OpenDialog; readonly shift: Shift | null }>();
  const shift = current.data ?? null;
  const print = usePrintReceipt();
  const show = (kind: OpenDialog) => () => setDialog({ kind, shift });
  const close = () => setDialog(undefined);
  const canWrite = may('shifts:write') && current.data !== undefined;
  const isOpen = canWrite && shift !== null;
  const actions: readonly (DrawerAction | false)[] = [
    canWrite && shift === null && { keys: 'O', label: t('Open shift'), run: show('open'), isPrimary: true },
    isOpen && { keys: 'I', label: t('Pay in'), run: show('pay-in') },
    isOpen && { keys: 'U', label: t('Pay out', { context: 'cash' }), run: show('pay-out') },
    may('tenders:write') && { keys: OPEN_DRAWER_KEYS, label: t('Open drawer'), run: openDrawerDialog, isGlobal: true },
    shift !== null && { keys: 'X', label: t('X report'), run: () => void print({ shift, copy: 'merchant' }) },
    isOpen && { keys: 'C', label: t('Close shift'), run: show('close'), isPrimary: true },
  ];
  return {
    name,
    current,
    actions: actions.filter((action) => action !== false),
    dialog: dialog && <DrawerDialog drawer={name} {...dialog} onClose={close} />,
  };
}

interface DrawerDialogProps {
  readonly kind: OpenDialog;
  readonly drawer: string;
  readonly shift: Shift | null;
  readonly onClose: () => void;
}

function DrawerDialog({ kind, drawer, shift, onClose }: DrawerDialogProps) {
  if (kind === 'open') return <OpenShiftDialog drawer={drawer} onClose={onClose} />;
  if (shift === null) return null;
  if (kind === 'close') return <CloseShiftDialog shift={shift} onClose={onClose} />;
  return <CashMovementDialog shift={shift} kind={kind} onClose={onClose} />;
}
