import { ipcMain, type WebContents } from 'electron';
import { isServerUrl } from '../trusted-url.ts';

/** Handles a call of the bridge; `input` is the unchecked argument of the page. If it throws, the page's call rejects. */
type Handler = (input: unknown[], sender: WebContents) => unknown;

/** Registers the handler of a channel. */
export type RegisterHandler = (channel: string, handler: Handler) => void;

/**
 * Returns a function that registers handlers for the main frame of our pages only; other callers are refused. `baseUrl` returns the
 * server's address at the time of the call.
 */
export function createHandlerRegistry(baseUrl: () => string | undefined): RegisterHandler {
  return (channel, handler) => {
    ipcMain.handle(channel, (event, ...input: unknown[]) => {
      const frame = event.senderFrame;
      const serverUrl = baseUrl();
      // A sandboxed frame has our address and a null origin.
      const isOwnPage =
        serverUrl !== undefined &&
        frame?.parent === null &&
        isServerUrl(frame.url, serverUrl) &&
        frame.origin === new URL(serverUrl).origin;
      requireThat(isOwnPage, 'only our own page may call this');
      return handler(input, event.sender);
    });
  };
}

/** Checks a rule. @throws TypeError with the rule if the condition is false. */
export function requireThat(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new TypeError(`Refused: ${rule}.`);
}
