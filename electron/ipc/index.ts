import type { ForbiddenTarget } from '#core/platform/outbound';
import { type ApplicationDependencies, registerApplicationHandlers } from './application.ts';
import { createHandlerRegistry } from './handler-registry.ts';
import { registerNotificationHandler } from './notifications.ts';
import { registerPrintingHandlers } from './printing.ts';

/** Parts of the desktop application that the handlers use. */
interface ShellDependencies extends ApplicationDependencies {
  /** Returns the current address of the server; undefined while none runs, so that calls are refused. */
  baseUrl(): string | undefined;
  /** Returns the addresses of Paydesk and its database. */
  ownAddresses(): readonly ForbiddenTarget[];
}

/**
 * Registers the handlers of the bridge's calls. A call is refused unless it comes from the main frame of one of our pages, with valid
 * input.
 */
export function registerIpcHandlers(shell: ShellDependencies): void {
  const register = createHandlerRegistry(() => shell.baseUrl());
  registerPrintingHandlers(register, () => shell.ownAddresses());
  registerNotificationHandler(register, (path) => shell.mainWindow.openScreen(path));
  registerApplicationHandlers(register, shell);
}
