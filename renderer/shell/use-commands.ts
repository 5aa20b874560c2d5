import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { usePrinter } from '#renderer/desktop/printing';
import { EVERYWHERE, type Shortcut, showToast, useShortcuts } from '#renderer/kit/ui';
import { lock, signOut, useMay, useMerchant } from '#renderer/session/user';
import { useMaySimulate } from '#renderer/shared/card-readers';
import { readLastSale, useReprintLast } from '#renderer/shared/receipt';
import { OPEN_DRAWER_KEYS, openDrawerDialog, openPrinterDialog } from '#renderer/shared/receipt-queue';
import { guideAddressOf } from './navigation/index.ts';
import { type SandboxPanel, useHasRecorder, useHasTestClock } from './sandbox/index.ts';

/** An action of the desktop menu, the command palette and a keyboard shortcut. */
interface Command extends Shortcut {
  readonly id:
    | 'new-sale'
    | 'reprint-last'
    | 'refund-last'
    | 'find-transaction'
    | 'print-queue'
    | 'open-drawer'
    | 'test-clock'
    | 'recorder'
    | 'simulated-readers'
    | 'lock'
    | 'palette'
    | 'keys'
    | 'help'
    | 'sign-out';
}

interface CommandTargets {
  readonly openPalette: () => void;
  readonly openKeyList: () => void;
  readonly openSandboxPanel: (panel: SandboxPanel) => void;
}

/** Request in the state of a navigation. A new time repeats the request on a screen that is already open. */
interface ScreenRequest {
  readonly newSaleAt?: number;
  readonly findAt?: number;
}

/** Registers the commands of every screen with their keys, and runs those of the desktop menu. */
export function useCommands({ openPalette, openKeyList, openSandboxPanel }: CommandTargets): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const may = useMay();
  const reprintLast = useReprintLast();
  const canSell = may('transactions:write');
  const canRead = may('transactions:read');
  const hasTestClock = useHasTestClock();
  const hasRecorder = useHasRecorder();
  const maySimulate = useMaySimulate();
  const printer = usePrinter();
  const { merchantId, vtSettings } = useMerchant();
  const takesCash = vtSettings.tenders.includes('cash') && may('tenders:write');

  const commands: readonly Command[] = [
    ...(canSell ? [{ id: 'new-sale', keys: 'F2', label: t('New sale'), run: newSale } as const] : []),
    ...(canRead ? [{ id: 'find-transaction', keys: 'F9', label: t('Find transaction'), run: findTransaction } as const] : []),
    ...(canRead ? [{ id: 'reprint-last', keys: 'F8', label: t('Reprint last receipt'), run: () => void reprintLast() } as const] : []),
    ...(canRead && may('refunds:write')
      ? [{ id: 'refund-last', keys: '', label: t('Refund last sale'), run: () => void refundLast() } as const]
      : []),
    ...(printer ? [{ id: 'print-queue', keys: '', label: t('Open the print queue'), run: () => openPrinterDialog('queue') } as const] : []),
    ...(takesCash
      ? [{ id: 'open-drawer', keys: OPEN_DRAWER_KEYS, label: t('Open the cash drawer without a sale'), run: openDrawerDialog } as const]
      : []),
    ...(hasTestClock
      ? [{ id: 'test-clock', keys: '', label: t('Move the test clock'), run: () => openSandboxPanel('clock') } as const]
      : []),
    ...(hasRecorder
      ? [{ id: 'recorder', keys: '', label: t('Record or replay requests'), run: () => openSandboxPanel('recorder') } as const]
      : []),
    ...(maySimulate
      ? [{ id: 'simulated-readers', keys: '', label: t('Open a simulated card reader'), run: () => openSandboxPanel('readers') } as const]
      : []),
    { id: 'palette', keys: 'Mod+K', label: t('Go to anything'), run: openPalette },
    { id: 'keys', keys: '?', label: t('Show keyboard shortcuts'), run: openKeyList },
    {
      id: 'help',
      keys: '',
      label: t('Help for this page'),
      words: 'guide manual documentation ayuda guía',
      run: () => void open(guideAddressOf(pathname), '_blank', 'noopener'),
    },
    { id: 'lock', keys: 'Mod+L', label: t('Lock the screen'), run: () => lock('asked'), always: true },
    { id: 'sign-out', keys: '', label: t('Sign out'), run: signOut },
  ];
  useShortcuts(EVERYWHERE, commands);
  useShellCommands(commands, (path) => void navigate(path));

  function newSale() {
    void navigate('/sell', { state: { newSaleAt: Date.now() } satisfies ScreenRequest, flushSync: true });
  }

  /** Opens the last sale with its refund. */
  async function refundLast() {
    const sale = await readLastSale(merchantId);
    if (sale === null) showToast(t('There is no sale to refund.'));
    else
      void navigate(`/transactions/${'tender' in sale ? sale.tender.tenderId : sale.transaction.transactionId}`, {
        state: { action: 'refund' },
      });
  }

  /** Opens the list and focuses its search. On the list itself the filter stays; from other screens it opens without a filter. */
  function findTransaction() {
    const isOnList = pathname.startsWith('/transactions');
    void navigate(isOnList ? { pathname: '/transactions', search: location.hash.split('?')[1] ?? '' } : '/transactions', {
      state: { findAt: Date.now() } satisfies ScreenRequest,
      // Text that is typed right after the key must reach the search box.
      flushSync: true,
    });
  }
}

/** Runs commands of the desktop menu and opens its deep links. */
function useShellCommands(commands: readonly Command[], open: (path: string) => void): void {
  const { onCommand } = useDesktop();
  const latest = useRef({ commands, open });
  latest.current = { commands, open };
  const listen = useMemo(() => onCommand, [onCommand]);
  useEffect(
    () =>
      listen((command) => {
        if (typeof command === 'object') latest.current.open(command.open);
        else latest.current.commands.find(({ id }) => id === command)?.run();
      }),
    [listen],
  );
}
