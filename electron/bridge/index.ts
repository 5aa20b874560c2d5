/**
 * API of the desktop application for our pages as `window.paydesk`, with its channels. It is the only module of the application that pages
 * may import, and only for its types.
 */
import { APPLICATION_CHANNELS, type ApplicationBridge } from './application.ts';
import { PRINTING_CHANNELS, type PrintingBridge } from './printing.ts';

export * from './application.ts';
export * from './printing.ts';

/** A notification of the operating system, for a person who may be using another program. */
export interface SystemNotification {
  /** At most 80 characters. */
  title: string;
  /** At most 200 characters. */
  body: string;
  /** Path of the screen that a click opens, in the page's router. */
  open: string;
}

/** Command of the menu or of a `paydesk://` link for the page. `open` is a path of the page's router; it shows a screen and changes nothing. */
export type ShellCommand = 'new-sale' | 'reprint-last' | 'find-transaction' | 'palette' | 'lock' | 'keys' | { open: string };

/** `window.paydesk`; absent in an ordinary browser. */
export interface DesktopBridge extends ApplicationBridge, PrintingBridge {
  /** Version of the application, such as "0.1.0". */
  readonly version: string;
  /** Shows a notification of the operating system. Rejects a malformed one. */
  notify(notification: SystemNotification): Promise<void>;
  /** Calls `listener` with each command, until the returned function is called. The first listener also gets the last earlier command. */
  onCommand(listener: (command: ShellCommand) => void): () => void;
}

export const CHANNELS = {
  notify: 'paydesk:notify',
  command: 'paydesk:command',
  ...APPLICATION_CHANNELS,
  ...PRINTING_CHANNELS,
} as const;

/** Argument by which the main process passes the application's version to the preload script. */
export const VERSION_FLAG = '--paydesk-version=';
