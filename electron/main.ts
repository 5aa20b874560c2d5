import { join } from 'node:path';
import { app, dialog, session } from 'electron';
import type { KeyStore } from '#core/vault';
import { startServer } from '#server';
import { catchArrivals } from './arrivals.ts';
import { CHANNELS } from './bridge/index.ts';
import { LINK_SCHEME } from './deep-link.ts';
import { handleIpc } from './ipc/index.ts';
import { masterKeyOf } from './keys/keychain.ts';
import { DiagnosticsFile } from './log/diagnostics.ts';
import { LogFile } from './log/log-file.ts';
import { showLogFolder } from './log/log-folder.ts';
import { isHiddenStart } from './login-item.ts';
import { showNotice } from './notices.ts';
import { Quitting } from './quitting.ts';
import { tellOfSavedFiles } from './saved-files.ts';
import { secureContents, secureSession } from './security.ts';
import { watchInFlight } from './server-process/in-flight.ts';
import { ServerKeeper, type ServiceState } from './server-process/keep-server.ts';
import { freePort } from './server-process/port.ts';
import { SettingsFile } from './shell-settings.ts';
import { isBeingInstalled, Updates } from './updates/updates.ts';
import { Closing } from './window/closing.ts';
import { Desk } from './window/main-window.ts';
import { setMenu } from './window/menu.ts';
import { type OfflineAction, offlinePage } from './window/offline-page.ts';
import { TrayIcon } from './window/tray.ts';

const APP_ID = 'app.paydesk.desktop';
const WEB_ROOT = join(import.meta.dirname, '../renderer');
const PORT = 4801;

// Awaited at the top level, whenReady() and this module would each wait for the other.
if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  // Windows shows notices of programs that name themselves.
  app.setAppUserModelId(APP_ID);
  const deliverArrivals = catchArrivals();
  app
    .whenReady()
    .then(() => start(deliverArrivals))
    .catch(sayAndExit);
} else {
  app.exit(0);
}

async function start(deliverArrivals: ReturnType<typeof catchArrivals>): Promise<void> {
  const folder = app.getPath('userData');
  const dataDir = app.commandLine.getSwitchValue('data-dir') || folder;
  if (isBeingInstalled(folder)) {
    throw new Error('A new version is being installed. It opens by itself; if it does not, open Paydesk in a minute.');
  }
  const log = new LogFile(join(folder, 'logs'));
  log.listen();
  const settings = new SettingsFile(folder);
  const closing = new Closing(settings);
  const inFlight = watchInFlight();
  let isHeld = false;
  const hold = (isSending: boolean) => {
    isHeld = isSending;
  };
  const updates = new Updates({
    folder,
    tell: (state) => desk.current?.webContents.send(CHANNELS.update, state),
    obstacle: () => (isHeld || inFlight.count > 0 ? 'A payment is being sent. Restart when it has been answered.' : undefined),
  });
  const desk = new Desk({
    folder,
    keepsOpen: (window) => closing.keepsOpen(window),
    onStay: () => quitting.stay(),
    onOfflineAction: (action) => obey(action),
    onLoad: () => hold(false),
  });
  const tray = new TrayIcon(desk);
  const masterKey = masterKeyOf(dataDir);
  const keeper = new ServerKeeper({
    port: settings.current.port ?? (await freePort(Number(app.commandLine.getSwitchValue('port')) || PORT)),
    start: async (port) => startOn(port, dataDir, await masterKey()),
    tell: (state) => void show(state),
    giveUp: () => {
      app.relaunch();
      app.exit(1);
    },
    inFlight,
  });
  const quitting = new Quitting({ inFlight, desk, tray, closing, keeper, updates });
  const baseUrl = () => (keeper.state.kind === 'running' ? keeper.state.baseUrl : undefined);

  let toldTrouble: string | undefined;
  const show = async (state: ServiceState) => {
    tray.show(state);
    if (state.kind === 'running') desk.showServer(state.baseUrl);
    if (state.kind !== 'troubled') {
      toldTrouble = undefined;
      return;
    }
    const page = offlinePage(state.trouble, state.isTrying, await freePort(keeper.port + 1));
    if (keeper.state !== state) return;
    desk.showOffline(page);
    const isSeen = desk.current?.isVisible() ?? !isHiddenStart();
    // It is tried again up to once a minute, all night.
    if (isSeen || toldTrouble === state.trouble.title) return;
    toldTrouble = state.trouble.title;
    showNotice({ title: 'Paydesk’s API is not running', body: state.trouble.title }, () => desk.open());
  };
  const obey = (action: OfflineAction) => {
    if (action.do === 'use-port') settings.change({ port: action.port });
    if (action.do === 'open-log-folder') void showLogFolder(log);
    else void keeper.start(action.do === 'use-port' ? action.port : keeper.port);
  };

  outlive(keeper);
  secureSession(session.defaultSession, baseUrl);
  tellOfSavedFiles(session.defaultSession, () => desk.current?.isFocused() === true);
  secureContents(baseUrl);
  const diagnostics = new DiagnosticsFile({
    dataDir,
    log,
    settings: () => settings.current,
    service: () => keeper.state,
    update: () => updates.state,
  });
  handleIpc({ baseUrl, desk, settings, log, diagnostics, updates, hold });
  setMenu((command) => desk.tell(command));
  await keeper.start();
  if (!isHiddenStart()) desk.open();
  deliverArrivals(desk);
  const { problem } = updates.state;
  if (problem !== undefined) showNotice({ title: 'The update was not installed', body: problem }, () => desk.openScreen('/system'));
  updates.begin();
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
}

async function startOn(port: number, dataDir: string, masterKey: KeyStore) {
  const server = await startServer({
    dataDir,
    port,
    masterKey,
    webRoot: WEB_ROOT,
    demo: app.commandLine.hasSwitch('demo'),
    privateHosts: process.env.PAYDESK_PRIVATE_HOSTS || undefined,
    enterpriseLimits: process.env.PAYDESK_ENTERPRISE_LIMITS || undefined,
  });
  if (server.credentials) console.log(`Sample data: sign in as ${server.credentials.adminEmail} with ${server.credentials.adminPassword}`);
  return server;
}

/** Restarts the server after an uncaught error, because its state may be inconsistent; the window stays. */
function outlive(keeper: ServerKeeper): void {
  process.on('uncaughtException', (cause) => void keeper.died(cause));
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') console.error(`A process of the runtime ended: ${type}, ${reason}.`);
  });
}

function sayAndExit(cause: unknown): void {
  dialog.showErrorBox('Paydesk cannot start', cause instanceof Error ? cause.message : String(cause));
  app.exit(1);
}
