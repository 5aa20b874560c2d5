import type { WebContentsPrintOptions } from 'electron';

/** A job that the double's print queue received, rendered by Chromium. */
interface RecordedPrintJob {
  options: WebContentsPrintOptions;
  pdf: string;
}

/** Record of what happened in the double, and its behavior. Tests read and change it through `Shell.evaluate`. */
interface ElectronRecord {
  /** Names of steps in order: `lock`, `ready`, `window`, `load <url> <status>`, `show`, `focus`, `quit` … */
  steps: string[];
  /** Decision on each window that a page tried to open: `deny` or `allow`. */
  windowDecisions: string[];
  /** Messages sent to pages. */
  sent: { channel: string; args: unknown[] }[];
  navigationsRefused: string[];
  loadsRefused: string[];
  messages: string[];
  printed: RecordedPrintJob[];
  notifications: { title: string; body: string; click: () => void }[];
  printers: { name: string; displayName: string; description: string; options: object }[];
  /** Result of the next print jobs: `taken`, `no response`, or the reason of a failure. */
  printResult: string;
  /** Index of the button that answers the next questions; null leaves them open. */
  answer: number | null;
  /** Questions that were left open, and can be answered by the test. */
  questions: { message: string; detail: string; buttons: string[]; isOpen: boolean; answer: (button: number) => void }[];
  /**
   * Behavior of Squirrel on macOS with an update. `takes`: installs it. `stalls`: fetches nothing. `refuses`: fetches it and refuses the
   * installation. `hangs`: fetches it and never ends the application.
   */
  squirrel: 'takes' | 'stalls' | 'refuses' | 'hangs';
  /** True if the application starts when the user signs in. */
  loginItem: boolean;
  /** Tray icons with their tooltips and menus. */
  trays: { icon: string; tooltip: string; menu: { label?: string; enabled?: boolean; click?: () => void }[] }[];
  /** Text on the clipboard. */
  clipboard: string;
  /** Folders and files that were shown in the file manager. */
  opened: string[];
  /** Path that the next save dialog returns; empty if the dialog is canceled. */
  savePath: string;
  displays: { workArea: { x: number; y: number; width: number; height: number } }[];
}

export const record: ElectronRecord = {
  steps: [],
  windowDecisions: [],
  sent: [],
  navigationsRefused: [],
  loadsRefused: [],
  messages: [],
  printed: [],
  notifications: [],
  printers: [{ name: 'Front_Desk', displayName: 'Front desk', description: 'Receipts', options: {} }],
  printResult: 'taken',
  answer: 0,
  questions: [],
  squirrel: 'takes',
  loginItem: false,
  trays: [],
  clipboard: '',
  opened: [],
  savePath: '',
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};
