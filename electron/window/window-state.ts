import { join } from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { readJson, writeJson } from '../shell-settings.ts';
import { fitToScreens } from './window-bounds.ts';

/** Position of the window, and whether it was maximized. */
interface WindowState {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

const FILE = 'window.json';
const SAVE_AFTER_MS = 500;
export const DEFAULT_SIZE = { width: 1280, height: 800 };
export const MINIMUM_SIZE = { width: 800, height: 600 };

/** Returns the last position of the window, moved onto a connected screen; undefined at the first start. */
export function readWindowState(folder: string): WindowState | undefined {
  const saved = parseWindowState(readJson(join(folder, FILE)));
  if (saved === undefined) return undefined;
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  return { ...saved, bounds: fitToScreens(saved.bounds, areas, screen.getPrimaryDisplay().workArea) };
}

/** Saves the position of the window to a file whenever it changes. */
export function saveWindowStateOnChange(window: BrowserWindow, folder: string): void {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    if (!window.isDestroyed()) {
      writeJson(join(folder, FILE), { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() } satisfies WindowState);
    }
  };
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS).unref();
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', save);
}

function parseWindowState(content: unknown): WindowState | undefined {
  const { bounds, isMaximized } = (content ?? {}) as { bounds?: Partial<Rectangle>; isMaximized?: unknown };
  const { x, y, width, height } = bounds ?? {};
  if (![x, y, width, height].every((side) => Number.isSafeInteger(side))) return undefined;
  if ((width as number) < MINIMUM_SIZE.width || (height as number) < MINIMUM_SIZE.height) return undefined;
  return { bounds: { x, y, width, height } as Rectangle, isMaximized: isMaximized === true };
}
