import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { record } from './record.ts';

/** What of the desktop around the windows the shell uses. */

interface Menu {
  items: { label?: string; enabled?: boolean; click?: () => void }[];
}

/** Electron's Tray: throws on a picture that cannot be read. */
export class Tray extends EventEmitter {
  private readonly seen: (typeof record.trays)[number];

  constructor({ path }: { path: string }) {
    super();
    if (!existsSync(path)) throw new Error(`Failed to load image from path '${path}'`);
    this.seen = { picture: path, words: '', menu: [] };
    record.trays.push(this.seen);
  }

  setToolTip(words: string): void {
    this.seen.words = words;
  }

  setContextMenu({ items }: Menu): void {
    this.seen.menu = items;
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
  showItemInFolder: (path: string) => void record.opened.push(path),
};
