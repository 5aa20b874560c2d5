import { ipcMain, type WebContents } from 'electron';
import { isOurs } from '../trusted-url.ts';

/** Handles a call of the bridge; `input` is the unchecked argument of the page. If it throws, the page's call rejects. */
type Handler = (input: unknown[], sender: WebContents) => unknown;

/** Registers the handler of a channel. */
export type Answer = (channel: string, handler: Handler) => void;

/**
 * Handles channels for the main frame of our pages only; other callers are refused. `baseUrl` is the server's address at the time of the
 * call.
 */
export function answerOurPage(baseUrl: () => string | undefined): Answer {
  return (channel, handler) => {
    ipcMain.handle(channel, (event, ...input: unknown[]) => {
      const frame = event.senderFrame;
      const ours = baseUrl();
      // A sandboxed frame has our address and a null origin.
      const isOurPage = ours !== undefined && frame?.parent === null && isOurs(frame.url, ours) && frame.origin === new URL(ours).origin;
      requireThat(isOurPage, 'only our own page may ask this');
      return handler(input, event.sender);
    });
  };
}

/** Refuses input that breaks a rule, in words. */
export function requireThat(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new TypeError(`Refused: ${rule}.`);
}
