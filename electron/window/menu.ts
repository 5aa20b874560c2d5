import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '../bridge/index.ts';

type Item = MenuItemConstructorOptions;

/** Sets the application's menu: the page's commands with their keyboard shortcuts, and the standard menus. `sendCommand` sends a chosen command to the page. */
export function setMenu(sendCommand: (command: ShellCommand) => void): void {
  // The page handles the shortcuts, as it does in a browser. The menu only shows them; otherwise each would run twice.
  const command = (label: string, accelerator: string, name: ShellCommand): Item => {
    return { label, accelerator, registerAccelerator: false, click: () => sendCommand(name) };
  };
  const separator: Item = { type: 'separator' };
  const sellMenu: Item[] = [
    command('New sale', 'F2', 'new-sale'),
    separator,
    command('Reprint last receipt', 'F8', 'reprint-last'),
    command('Find transaction', 'F9', 'find-transaction'),
    separator,
    command('Lock', 'CmdOrCtrl+L', 'lock'),
    { role: 'quit' },
  ];
  const viewMenu: Item[] = [
    command('Go to anything…', 'CmdOrCtrl+K', 'palette'),
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    separator,
    { role: 'reload' },
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
  ];
  const menus: Item[] = [
    { label: 'Sell', submenu: sellMenu },
    { role: 'editMenu' },
    { label: 'View', submenu: viewMenu },
    { role: 'windowMenu' },
    { role: 'help', submenu: [command('Keyboard shortcuts', '?', 'keys'), { role: 'about' }] },
  ];
  const appMenu: Item[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...appMenu, ...menus]));
}
