/**
 * API of the desktop application for our pages as `window.paydesk`, and its channels. The only file of the application that a page may
 * import, as types.
 */
import { APPLICATION_CHANNELS, type ApplicationBridge } from './application.ts';
import { PRINTING_CHANNELS, type PrintingBridge } from './printing.ts';

export type * from './application.ts';
export * from './printing.ts';

/** A notice for a person who may be looking elsewhere. */
export interface Notice {
  /** At most 80 characters. */
  title: string;
  /** At most 200 characters. */
  body: string;
  /** A path of the page's router that a click on it opens. */
  open: string;
}

/** Request of the menu or of a `paydesk://` link to the page. `open` is a path of the page's router: it shows a screen and never acts. */
export type ShellCommand = 'new-sale' | 'reprint-last' | 'find-transaction' | 'palette' | 'lock' | 'keys' | { open: string };

/** `window.paydesk`; absent in an ordinary browser. */
export interface DesktopBridge extends ApplicationBridge, PrintingBridge {
  /** The application's version, as in "0.1.0". */
  readonly version: string;
  /** Shows a notice of the system's own. Rejects on a malformed one. */
  notify(notice: Notice): Promise<void>;
  /** Calls `tell` with each command until the returned function is called. The last command from before the first listener is kept for it. */
  onCommand(tell: (command: ShellCommand) => void): () => void;
}

export const CHANNELS = {
  notify: 'paydesk:notify',
  command: 'paydesk:command',
  ...APPLICATION_CHANNELS,
  ...PRINTING_CHANNELS,
} as const;

/** Argument by which the main process passes the application's version to the preload script. */
export const VERSION_FLAG = '--paydesk-version=';
