import type { CallResult } from './preload-host.ts';

/** Data about the calling frame, as the application sees it. */
export interface SenderFrame {
  url: string;
  origin: string;
  parent: SenderFrame | null;
}

type Handler = (event: object, ...args: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

/** Electron's ipcMain, called by frames of real pages. */
export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },

  async call(sender: object, senderFrame: SenderFrame | null, channel: string, args: unknown[]): Promise<CallResult> {
    const handler = handlers.get(channel);
    if (handler === undefined) return { refusal: `No handler registered for '${channel}'` };
    try {
      return { value: await handler({ sender, senderFrame, type: 'frame' }, ...args) };
    } catch (cause) {
      return { refusal: String(cause) };
    }
  },
};
