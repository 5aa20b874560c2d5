import { join } from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { readJson, writeJson } from '../shell-settings.ts';
import { onScreen } from './on-screen.ts';

/** Position of the window, and whether it was maximized. */
interface WindowState {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

const FILE = 'window.json';
const SAVE_AFTER_MS = 500;
export const SIZE = { width: 1280, height: 800 };
export const SIZE_MIN = { width: 800, height: 600 };
/** Returns the last position of the window, moved onto a present screen; undefined at the first start. */
export function lastWindowState(folder: string): WindowState | undefined {
  const kept = stateIn(readJson(join(folder, FILE)));
  if (kept === undefined) return undefined;
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  return { ...kept, bounds: onScreen(kept.bounds, areas, screen.getPrimaryDisplay().workArea) };
}

/** Keeps in a file where the window is, from now on. */
export function keepWindowState(window: BrowserWindow, folder: string): void {
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

function stateIn(content: unknown): WindowState | undefined {
  const { bounds, isMaximized } = (content ?? {}) as { bounds?: Partial<Rectangle>; isMaximized?: unknown };
  const { x, y, width, height } = bounds ?? {};
  if (![x, y, width, height].every((side) => Number.isSafeInteger(side))) return undefined;
  if ((width as number) < SIZE_MIN.width || (height as number) < SIZE_MIN.height) return undefined;
  return { bounds: { x, y, width, height } as Rectangle, isMaximized: isMaximized === true };
}
