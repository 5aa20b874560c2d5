import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useDesktop } from '#renderer/desktop';
import { usePrinter } from '#renderer/printing';
import { useReprintLast } from '#renderer/receipt';
import { openTillDialog } from '#renderer/receipt-queue';
import { lock, signOut, useMay } from '#renderer/session';
import { type Shortcut, useShortcuts } from '#renderer/ui';

/** Something the menu, the palette and a key can all ask for. */
export interface Command extends Shortcut {
  readonly id: 'new-sale' | 'reprint-last' | 'find-transaction' | 'print-queue' | 'open-drawer' | 'lock' | 'palette' | 'keys' | 'sign-out';
}

interface CommandTargets {
  readonly openPalette: () => void;
  readonly openKeyList: () => void;
}

/** Request of a navigation to its screen. A new stamp repeats the request on a screen that is open already. */
interface ScreenRequest {
  readonly newSaleAt?: number;
  readonly findAt?: number;
}

/** The commands of every screen. Their keys work from here on, and the desktop menu's choices end in the same place. */
export function useCommands({ openPalette, openKeyList }: CommandTargets): readonly Command[] {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const may = useMay();
  const reprintLast = useReprintLast();
  const canSell = may('transactions:write');
  const canRead = may('transactions:read');
  const printer = usePrinter();
  const hasDrawer = printer !== null && printer.drawerPin !== null && may('invoices:write');

  const commands: readonly Command[] = [
    ...(canSell ? [{ id: 'new-sale', keys: 'F2', label: 'New sale', run: newSale } as const] : []),
    ...(canRead ? [{ id: 'find-transaction', keys: 'F9', label: 'Find transaction', run: find } as const] : []),
    ...(canRead ? [{ id: 'reprint-last', keys: 'F8', label: 'Reprint last receipt', run: () => void reprintLast() } as const] : []),
    ...(printer ? [{ id: 'print-queue', keys: '', label: 'Open the print queue', run: () => openTillDialog('queue') } as const] : []),
    ...(hasDrawer ? [{ id: 'open-drawer', keys: '', label: 'Open the cash drawer', run: () => openTillDialog('drawer') } as const] : []),
    { id: 'palette', keys: 'Mod+K', label: 'Go to anything', run: openPalette },
    { id: 'keys', keys: '?', label: 'Show all keys', run: openKeyList },
    { id: 'lock', keys: 'Mod+L', label: 'Lock the screen', run: () => lock('asked'), always: true },
    { id: 'sign-out', keys: '', label: 'Sign out', run: signOut },
  ];
  useShortcuts(
    'Everywhere',
    commands.filter(({ keys }) => keys !== ''),
  );
  useShellCommands(commands, (path) => void navigate(path));
  return commands;

  function newSale() {
    void navigate('/sell', { state: { newSaleAt: Date.now() } satisfies ScreenRequest, flushSync: true });
  }

  /** On the list itself its filter stays; from other screens the list opens without a filter. */
  function find() {
    const isThere = pathname.startsWith('/transactions');
    void navigate(isThere ? { pathname: '/transactions', search: location.hash.split('?')[1] ?? '' } : '/transactions', {
      state: { findAt: Date.now() } satisfies ScreenRequest,
      // What is typed right after the key belongs into the box already.
      flushSync: true,
    });
  }
}

/** Obeys the desktop's menu and its deep links. */
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
