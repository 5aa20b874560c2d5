import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '../bridge/index.ts';
import { t } from '../language/index.ts';

type Item = MenuItemConstructorOptions;

/** Sets the application's menu, in the present language: the page's commands with their keyboard shortcuts, and the standard menus. `sendCommand` sends a chosen command to the page. */
export function setMenu(sendCommand: (command: ShellCommand) => void): void {
  // The page handles the shortcuts, as it does in a browser. The menu only shows them; otherwise each would run twice.
  const command = (label: string, accelerator: string, name: ShellCommand): Item => {
    return { label, accelerator, registerAccelerator: false, click: () => sendCommand(name) };
  };
  const separator: Item = { type: 'separator' };
  const sellMenu: Item[] = [
    command(t('New sale'), 'F2', 'new-sale'),
    separator,
    command(t('Reprint last receipt'), 'F8', 'reprint-last'),
    command(t('Find transaction'), 'F9', 'find-transaction'),
    separator,
    command(t('Lock'), 'CmdOrCtrl+L', 'lock'),
    { role: 'quit' },
  ];
  const viewMenu: Item[] = [
    command(t('Go to anything…'), 'CmdOrCtrl+K', 'palette'),
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
    { label: t('Sell'), submenu: sellMenu },
    { role: 'editMenu' },
    { label: t('View'), submenu: viewMenu },
    { role: 'windowMenu' },
    { role: 'help', submenu: [command(t('Keyboard shortcuts'), '?', 'keys'), { role: 'about' }] },
  ];
  const appMenu: Item[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...appMenu, ...menus]));
}
