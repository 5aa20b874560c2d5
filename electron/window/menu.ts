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
  // Electron has only English labels for its standard items.
  const standard = (role: NonNullable<Item['role']>, label: string): Item => ({ role, label });
  const sellMenu: Item[] = [
    command(t('New sale'), 'F2', 'new-sale'),
    separator,
    command(t('Reprint last receipt'), 'F8', 'reprint-last'),
    command(t('Find transaction'), 'F9', 'find-transaction'),
    separator,
    command(t('Lock'), 'CmdOrCtrl+L', 'lock'),
    standard('quit', t('Quit Paydesk')),
  ];
  const viewMenu: Item[] = [
    command(t('Go to anything…'), 'CmdOrCtrl+K', 'palette'),
    separator,
    standard('resetZoom', t('Actual size')),
    standard('zoomIn', t('Zoom in')),
    standard('zoomOut', t('Zoom out')),
    standard('togglefullscreen', t('Full screen')),
    separator,
    standard('reload', t('Reload')),
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
  ];
  const editMenu: Item[] = [
    standard('undo', t('Undo')),
    standard('redo', t('Redo')),
    separator,
    standard('cut', t('Cut')),
    standard('copy', t('Copy')),
    standard('paste', t('Paste')),
    standard('selectAll', t('Select all')),
  ];
  const windowMenu: Item[] = [standard('minimize', t('Minimize')), standard('close', t('Close window'))];
  const helpMenu: Item[] = [command(t('Keyboard shortcuts'), '?', 'keys'), standard('about', t('About Paydesk'))];
  const menus: Item[] = [
    { label: t('Sell'), submenu: sellMenu },
    { label: t('Edit'), submenu: editMenu },
    { label: t('View'), submenu: viewMenu },
    { role: 'window', label: t('Window'), submenu: windowMenu },
    { role: 'help', label: t('Help'), submenu: helpMenu },
  ];
  // macOS shows it under the name of the application.
  const appMenu: Item[] = [
    standard('about', t('About Paydesk')),
    separator,
    standard('services', t('Services')),
    separator,
    standard('hide', t('Hide Paydesk')),
    standard('hideOthers', t('Hide others')),
    standard('unhide', t('Show all')),
    separator,
    standard('quit', t('Quit Paydesk')),
  ];
  const isMac = process.platform === 'darwin';
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [{ label: app.getName(), submenu: appMenu }, ...menus] : menus));
}
