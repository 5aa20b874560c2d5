/** A double of the `electron` module: just the members that the shell uses, over a real Chromium. A member it lacks fails the shell's start. */
import { EventEmitter } from 'node:events';
import { record } from './record.ts';

export { app } from './app.ts';
export { clipboard, nativeImage, screen, shell, Tray } from './desktop.ts';
export { ipcMain } from './ipc-main.ts';
export { net } from './net.ts';
export { record } from './record.ts';
export { safeStorage } from './safe-storage.ts';
export { session } from './session.ts';
export { BrowserWindow } from './window.ts';

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

/** Squirrel's updater, of which electron-updater tells an event. */
export const autoUpdater = new EventEmitter();

export const dialog = {
  showErrorBox: (title: string, content: string) => void console.error(`${title}: ${content}`),
  /** With or without a window to stand before. */
  showMessageBoxSync: (...given: [window: object, question: { message: string }] | [question: { message: string }]) => {
    record.messages.push((given.at(-1) as { message: string }).message);
    return record.answer;
  },
  showMessageBox: async (_window: object, question: { message: string }) => {
    record.messages.push(question.message);
    return { response: record.answer, checkboxChecked: false };
  },
  showSaveDialog: async () => ({ canceled: record.savePath === '', filePath: record.savePath }),
};

export class Notification extends EventEmitter {
  static isSupported = () => true;
  readonly #words: { title: string; body: string };

  constructor(words: { title: string; body: string }) {
    super();
    this.#words = words;
  }

  show(): void {
    record.notices.push({ ...this.#words, click: () => void this.emit('click') });
  }
}
