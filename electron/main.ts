import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, dialog, session } from 'electron';
import { type RunningServer, startServer } from '#server';
import { LINK_SCHEME } from './deep-link.ts';
import { handleIpc } from './ipc.ts';
import { setMenu } from './menu.ts';
import { freePort } from './port.ts';
import { secureContents, secureSession } from './security.ts';
import { catchArrivals, openMainWindow, openScreen, tell } from './window.ts';

const WEB_ROOT = join(import.meta.dirname, '../renderer');
const PORT = 4801;
const STOP_TIMEOUT_MS = 10_000;

// Awaited at the top level, whenReady() and this module would each wait for the other.
if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  const deliverArrivals = catchArrivals();
  app
    .whenReady()
    .then(() => start(deliverArrivals))
    .catch(sayAndExit);
} else {
  app.exit(0);
}

async function start(deliverArrivals: ReturnType<typeof catchArrivals>): Promise<void> {
  const server = await startServer({
    dataDir: app.commandLine.getSwitchValue('data-dir') || app.getPath('userData'),
    port: await freePort(Number(app.commandLine.getSwitchValue('port')) || PORT),
    webRoot: WEB_ROOT,
    demo: app.commandLine.hasSwitch('demo'),
  });
  if (server.credentials) console.log(`Sample data: sign in as ${server.credentials.adminEmail} with ${server.credentials.adminPassword}`);
  stopWithUs(server);
  secureSession(session.defaultSession, server.baseUrl);
  secureContents(server.baseUrl);
  handleIpc(server.baseUrl, (path) => openScreen(window, path));
  const window = openMainWindow(server.baseUrl);
  // Hidden windows may still wait for a printer, so that Electron would not quit by itself.
  window.once('closed', () => app.quit());
  setMenu((command) => tell(window, command));
  deliverArrivals(window);
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
}

/** Quitting closes the window first, which may ask, then lets the server finish what is in flight. */
function stopWithUs(server: RunningServer): void {
  let stopping = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    Promise.race([server.close(), sleep(STOP_TIMEOUT_MS)]).then(
      () => app.exit(0),
      (cause: unknown) => {
        console.error('The server did not stop in order.', cause);
        app.exit(1);
      },
    );
  });
}

function sayAndExit(cause: unknown): void {
  dialog.showErrorBox('Paydesk cannot start', cause instanceof Error ? cause.message : String(cause));
  app.exit(1);
}
