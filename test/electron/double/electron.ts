/** Test double of the `electron` module on a real Chromium. It has only the members that the application uses; a missing one fails the start. */
import { EventEmitter } from 'node:events';
import { record } from './record.ts';

export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { clipboard, nativeImage, screen, shell, Tray } from './desktop.ts';
export { dialog } from './dialog.ts';
export { ipcMain } from './ipc-main.ts';
export { net } from './net.ts';
export { record } from './record.ts';
export { safeStorage } from './safe-storage.ts';
export { session } from './session.ts';
export { autoUpdater } from './squirrel.ts';

interface Item {
  label?: string;
  role?: string;
  accelerator?: string;
  submenu?: Item[];
}

interface BuiltMenu {
  items: (Omit<Item, 'submenu'> & { submenu?: BuiltMenu })[];
}

let applicationMenu: BuiltMenu | null = null;

export const Menu = {
  buildFromTemplate: (template: Item[]): BuiltMenu => ({
    items: template.map(({ submenu, ...item }) => (submenu === undefined ? item : { ...item, submenu: Menu.buildFromTemplate(submenu) })),
  }),
  setApplicationMenu: (menu: BuiltMenu) => {
    applicationMenu = menu;
  },
  getApplicationMenu: () => applicationMenu,
};

export class Notification extends EventEmitter {
  static isSupported = () => true;
  readonly #content: { title: string; body: string };

  constructor(content: { title: string; body: string }) {
    super();
    this.#content = content;
  }

  show(): void {
    record.notifications.push({ ...this.#content, click: () => void this.emit('click') });
  }
}
