import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { record } from './record.ts';

/** Parts of the desktop outside the windows that the application uses: tray, clipboard, screens and file manager. */

interface Menu {
  items: { label?: string; enabled?: boolean; click?: () => void }[];
}

/** Electron's Tray. Throws if the icon file does not exist. */
export class Tray extends EventEmitter {
  private readonly recorded: (typeof record.trays)[number];

  constructor({ path }: { path: string }) {
    super();
    if (!existsSync(path)) throw new Error(`Failed to load image from path '${path}'`);
    this.recorded = { icon: path, tooltip: '', menu: [] };
    record.trays.push(this.recorded);
  }

  setToolTip(text: string): void {
    this.recorded.tooltip = text;
  }

  setContextMenu({ items }: Menu): void {
    this.recorded.menu = items;
  }
}

export const nativeImage = { createFromPath: (path: string) => ({ path }) };

export const clipboard = {
  writeText: (text: string) => {
    record.clipboard = text;
  },
};

export const screen = {
  getAllDisplays: () => record.displays,
  getPrimaryDisplay: () => record.displays[0],
};

export const shell = {
  openPath: async (path: string) => {
    record.opened.push(path);
    return '';
  },
  openExternal: async (address: string) => void record.opened.push(address),
  showItemInFolder: (path: string) => void record.opened.push(path),
};
