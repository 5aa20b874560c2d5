import type { WebContentsPrintOptions } from 'electron';

/** A job as the double's print queue got it, laid out by Chromium. */
export interface PrintedJob {
  options: WebContentsPrintOptions;
  pdf: string;
}

/** What happened in the double and what it shall do next; tests read and write it through `Shell.evaluate`. */
export interface Recorded {
  /** Names of steps in order: `lock`, `ready`, `window`, `load <url> <status>`, `show`, `focus`, `quit` … */
  steps: string[];
  /** What was decided on each window that a page asked for: `deny` or `allow`. */
  windowsAsked: string[];
  /** Messages to pages. */
  sent: { channel: string; args: unknown[] }[];
  navigationsRefused: string[];
  loadsRefused: string[];
  messages: string[];
  printed: PrintedJob[];
  notices: { title: string; body: string; click: () => void }[];
  printers: { name: string; displayName: string; description: string; options: object }[];
  /** What the next jobs come to: `taken`, `silence`, or the reason of a failure. */
  printing: string;
  /** Index of the button that the next questions are answered with; null for a person who thinks. */
  answer: number | null;
  /** What such a person has, or had, before them. */
  questions: { message: string; detail: string; buttons: string[]; isOpen: boolean; answer: (button: number) => void }[];
  /** What macOS does with an update: takes it, fetches nothing (`stalls`), fetches it and then refuses to install it, or never ends us for it (`hangs`). */
  squirrel: 'takes' | 'stalls' | 'refuses' | 'hangs';
  /** Whether the system starts us with its session. */
  loginItem: boolean;
  /** The icons beside the clock, with what they say and their menus. */
  trays: { picture: string; words: string; menu: { label?: string; enabled?: boolean; click?: () => void }[] }[];
  /** What the program put on the clipboard. */
  clipboard: string;
  /** Folders and files that were shown in the system's own windows. */
  opened: string[];
  /** Where the next save dialog leads; empty for a person who cancels. */
  savePath: string;
  displays: { workArea: { x: number; y: number; width: number; height: number } }[];
}

export const record: Recorded = {
  steps: [],
  windowsAsked: [],
  sent: [],
  navigationsRefused: [],
  loadsRefused: [],
  messages: [],
  printed: [],
  notices: [],
  printers: [{ name: 'Front_Desk', displayName: 'Front desk', description: 'Receipts', options: {} }],
  printing: 'taken',
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
