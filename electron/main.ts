import { basename, join } from 'node:path';
import { app, dialog, type Session, session, shell } from 'electron';
import type { KeyStore } from '#core/records/vault';
import { startServer } from '#server';
import { DEFAULT_LANGUAGE, type Language, languageOf } from '#shared/languages';
import { CHANNELS } from './bridge/index.ts';
import { findDeepLink, LINK_SCHEME, screenPathOf } from './deep-link.ts';
import { registerIpcHandlers } from './ipc/index.ts';
import { createMasterKeyLoader } from './keys/master-key.ts';
import { serviceText, showIn, t } from './language/index.ts';
import { DiagnosticsFile } from './log/diagnostics.ts';
import { LogFile } from './log/log-file.ts';
import { showLogFolder } from './log/log-folder.ts';
import { isHiddenStart } from './login-item.ts';
import { showNotification } from './notifications.ts';
import { QuitHandler } from './quit-handler.ts';
import { secureContents, secureSession } from './security.ts';
import { trackInFlightRequests } from './server-process/in-flight.ts';
import { freePort } from './server-process/port.ts';
import { ServerSupervisor, type ServiceState, type StartOptions } from './server-process/server-supervisor.ts';
import { SettingsFile } from './shell-settings.ts';
import { isBeingInstalled, Updates } from './updates/updates.ts';
import { CloseToTray } from './window/close-to-tray.ts';
import { MainWindow } from './window/main-window.ts';
import { setMenu } from './window/menu.ts';
import { type OfflineAction, offlinePage, startStepPage } from './window/offline-page.ts';
import { TrayIcon } from './window/tray.ts';

const APP_ID = 'app.paydesk.desktop';
const WEB_ROOT = join(import.meta.dirname, '../renderer');
const PORT = 4801;

// Not awaited: whenReady() waits until this module has loaded, so a top-level await would be a deadlock.
if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  // Windows shows notifications only for programs with an ID.
  app.setAppUserModelId(APP_ID);
  const connectDeepLinks = handleDeepLinks();
  app
    .whenReady()
    .then(() => start(connectDeepLinks))
    .catch(showErrorAndExit);
} else {
  app.exit(0);
}

async function start(connectDeepLinks: ReturnType<typeof handleDeepLinks>): Promise<void> {
  const folder = app.getPath('userData');
  const dataDir = app.commandLine.getSwitchValue('data-dir') || folder;
  const settings = new SettingsFile(folder);
  await showIn(settings.current.language ?? languageOf(app.getLocale()) ?? DEFAULT_LANGUAGE);
  if (isBeingInstalled(folder)) {
    throw new Error(t('A new version is being installed and opens automatically. If it does not, open Paydesk in a minute.'));
  }
  const log = new LogFile(join(folder, 'logs'));
  log.captureStandardError();
  const closeToTray = new CloseToTray(settings);
  const requestsInFlight = trackInFlightRequests();
  let isPageSending = false;
  const holdRestart = (isSending: boolean) => {
    isPageSending = isSending;
  };
  const updates = new Updates({
    folder,
    onStateChange: (state) => mainWindow.current?.webContents.send(CHANNELS.update, state),
    restartObstacle: () =>
      isPageSending || requestsInFlight.count > 0 ? 'A payment is being sent. Restart when it is complete.' : undefined,
  });
  const mainWindow = new MainWindow({
    folder,
    onClose: (window) => closeToTray.handleClose(window),
    onStay: () => quitHandler.cancel(),
    onOfflineAction: (action) => runOfflineAction(action),
    onLoad: () => holdRestart(false),
  });
  const tray = new TrayIcon(mainWindow);
  const masterKey = createMasterKeyLoader(dataDir);
  const supervisor = new ServerSupervisor({
    port: settings.current.port ?? (await freePort(Number(app.commandLine.getSwitchValue('port')) || PORT)),
    start: async (port, startOptions) => startServerOn(port, dataDir, await masterKey(), startOptions),
    onStateChange: (state) => void showState(state),
    onStopFailure: () => {
      app.relaunch();
      app.exit(1);
    },
    inFlight: requestsInFlight,
  });
  const quitHandler = new QuitHandler({ inFlight: requestsInFlight, mainWindow, tray, closeToTray, supervisor, updates });
  const baseUrl = () => (supervisor.state.kind === 'running' ? supervisor.state.baseUrl : undefined);

  let notifiedFailure: string | undefined;
  const showState = async (state: ServiceState) => {
    tray.show(state);
    if (state.kind === 'running') mainWindow.showServer(state.baseUrl);
    if (state.kind === 'starting' && state.step !== undefined) {
      mainWindow.showOffline(startStepPage(state.step));
      if (mainWindow.current === undefined && !isHiddenStart()) mainWindow.open();
    }
    if (state.kind !== 'failed') {
      notifiedFailure = undefined;
      return;
    }
    const page = offlinePage(state.failure, state.isRetrying, await freePort(supervisor.port + 1));
    if (supervisor.state !== state) return;
    mainWindow.showOffline(page);
    const isVisible = mainWindow.current?.isVisible() ?? !isHiddenStart();
    // The service is retried up to once a minute for hours, so each failure is notified only once.
    if (isVisible || notifiedFailure === state.failure.title) return;
    notifiedFailure = state.failure.title;
    showNotification({ title: t('Paydesk’s API is not running'), body: state.failure.title }, () => mainWindow.open());
  };
  const runOfflineAction = (action: OfflineAction) => {
    if (action.do === 'use-port') settings.change({ port: action.port });
    if (action.do === 'open-log-folder') void showLogFolder(log);
    else void supervisor.start(action.do === 'use-port' ? action.port : supervisor.port);
  };

  handleCrashes(supervisor);
  secureSession(session.defaultSession, baseUrl);
  notifyOfDownloads(session.defaultSession, () => mainWindow.current?.isFocused() === true);
  secureContents(baseUrl);
  const diagnostics = new DiagnosticsFile({
    dataDir,
    log,
    settings: () => settings.current,
    service: () => supervisor.state,
    update: () => updates.state,
  });
  const showMenu = () => setMenu((command) => mainWindow.sendCommand(command));
  const changeLanguage = async (language: Language) => {
    if (settings.current.language !== language) settings.change({ language });
    await showIn(language);
    showMenu();
    tray.show(supervisor.state);
  };
  const ownAddresses = () => supervisor.ownAddresses();
  registerIpcHandlers({ baseUrl, ownAddresses, mainWindow, settings, log, diagnostics, updates, changeLanguage, holdRestart });
  showMenu();
  await supervisor.start();
  if (!isHiddenStart()) mainWindow.open();
  connectDeepLinks(mainWindow);
  const { problem } = updates.state;
  if (problem !== undefined)
    showNotification({ title: t('The update was not installed'), body: serviceText(problem) }, () => mainWindow.openScreen('/system'));
  updates.startChecking();
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
}

async function startServerOn(port: number, dataDir: string, masterKey: KeyStore, startOptions: StartOptions) {
  const server = await startServer({
    ...startOptions,
    dataDir,
    port,
    masterKey,
    webRoot: WEB_ROOT,
    demo: app.commandLine.hasSwitch('demo'),
    sampleData: app.commandLine.getSwitchValue('sample-data') === 'sales' ? 'sales' : 'business',
    privateHosts: process.env.PAYDESK_PRIVATE_HOSTS || undefined,
    patroniUrl: process.env.PAYDESK_PATRONI_URL || undefined,
    enterpriseLimits: process.env.PAYDESK_ENTERPRISE_LIMITS || undefined,
  });
  if (server.credentials) console.log(`Sample data: sign in as ${server.credentials.adminEmail} with ${server.credentials.adminPassword}`);
  return server;
}

/** Restarts the server after an uncaught error, because its state may be inconsistent. The window stays open. */
function handleCrashes(supervisor: ServerSupervisor): void {
  process.on('uncaughtException', (cause) => void supervisor.handleCrash(cause));
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') console.error(`A process of Electron ended: ${type}, ${reason}.`);
  });
}

function showErrorAndExit(cause: unknown): void {
  dialog.showErrorBox(t('Paydesk cannot start'), serviceText(cause instanceof Error ? cause.message : String(cause)));
  app.exit(1);
}

/**
 * Handles further starts of the application and `paydesk://` links, including the one that started this process, and keeps the last link
 * until the window exists. Returns a function that takes the window: from then on each start brings it to the front, and a link opens its
 * screen.
 */
function handleDeepLinks(): (mainWindow: MainWindow) => void {
  let mainWindow: MainWindow | undefined;
  let pendingLink = findDeepLink(process.argv);
  const handleStart = (link: string | undefined) => {
    if (mainWindow === undefined) {
      pendingLink = link ?? pendingLink;
      return;
    }
    const screen = link === undefined ? undefined : screenPathOf(link);
    if (screen === undefined) mainWindow.open();
    else mainWindow.openScreen(screen);
  };
  app.on('second-instance', (_event, argv) => handleStart(findDeepLink(argv)));
  // macOS emits it when the user clicks the application in the dock.
  app.on('activate', () => handleStart(undefined));
  // macOS sends the link as an event, at the first start even before the application is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    handleStart(link);
  });
  return (created) => {
    mainWindow = created;
    if (pendingLink !== undefined) handleStart(pendingLink);
  };
}

/** Shows a notification about a file that was saved, or was not, while the window had no focus. A click shows the saved file in its folder. */
function notifyOfDownloads(session: Session, isWindowFocused: () => boolean): void {
  session.on('will-download', (_event, item) => {
    item.once('done', (_done, state) => {
      if (isWindowFocused() || state === 'cancelled') return;
      const path = item.getSavePath();
      const body = basename(path) || item.getFilename();
      if (state === 'completed') showNotification({ title: t('Export saved'), body }, () => shell.showItemInFolder(path));
      else showNotification({ title: t('Export not saved'), body }, () => undefined);
    });
  });
}
