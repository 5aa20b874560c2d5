import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '../bridge/index.ts';

type Item = MenuItemConstructorOptions;

/** Sets the application's menu: the page's commands with their keys, and what every desktop program has. `tell` hands a chosen command to the page. */
export function setMenu(tell: (command: ShellCommand) => void): void {
  // The page hears the keys itself, as it does in a browser; the menu only shows them, or each would be obeyed twice.
  const command = (label: string, accelerator: string, name: ShellCommand): Item => {
    return { label, accelerator, registerAccelerator: false, click: () => tell(name) };
  };
  const line: Item = { type: 'separator' };
  const till: Item[] = [
    command('New sale', 'F2', 'new-sale'),
    line,
    command('Reprint last receipt', 'F8', 'reprint-last'),
    command('Find transaction', 'F9', 'find-transaction'),
    line,
    command('Lock', 'CmdOrCtrl+L', 'lock'),
    { role: 'quit' },
  ];
  const view: Item[] = [
    command('Go to anything…', 'CmdOrCtrl+K', 'palette'),
    line,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    line,
    { role: 'reload' },
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
  ];
  const menus: Item[] = [
    { label: 'Till', submenu: till },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
    { role: 'help', submenu: [command('Keys', '?', 'keys'), { role: 'about' }] },
  ];
  const ofTheSystem: Item[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...ofTheSystem, ...menus]));
}
