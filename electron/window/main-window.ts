import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';
import { CHANNELS, type ShellCommand, VERSION_FLAG } from '../bridge/index.ts';
import { WEB_PREFERENCES } from '../security.ts';
import { type OfflineAction, offlineActionOf } from './offline-page.ts';
import { UnloadGuard } from './unload-guard.ts';
import { DEFAULT_SIZE, MINIMUM_SIZE, readWindowState, saveWindowStateOnChange } from './window-state.ts';

const PRELOAD = join(import.meta.dirname, '../preload/preload.cjs');

/** Number of crashes within the period after which the page is not reloaded until the window is opened again. */
const CRASH_RELOADS_MAX = 3;
const CRASH_RELOAD_PERIOD_MS = 10 * 60_000;
/** Number of retries of a failed page load. After them, the page is loaded when the service runs again or the window is opened. */
const RETRIES_MAX = 5;
const RETRY_AFTER_MS = 1_000;
/** Chromium's error code for a load that another load replaced. */
const ERR_ABORTED = -3;
/** HTTP status of a service that is stopping. */
const STATUS_UNAVAILABLE = 503;

interface MainWindowOptions {
  /** Folder for the window's position. */
  readonly folder: string;
  /** Called before the window closes; true keeps it open, because the caller decides later. */
  readonly onClose: (window: BrowserWindow) => boolean;
  /** Called when a person decides to stay on a page. */
  readonly onStay: () => void;
  readonly onOfflineAction: (action: OfflineAction) => void;
  /** Called when a page has loaded: state reported by the previous page is invalid. */
  readonly onLoad: () => void;
}

/** The only window. It shows a page of the server, or the offline page while no server runs. The window is created on first use. */
export class MainWindow {
  private readonly options: MainWindowOptions;
  private window: BrowserWindow | undefined;
  private unloadGuard: UnloadGuard | undefined;
  /** Page that the window should show. */
  private targetPage = '';
  private isOffline = false;
  /** Page that the window shows or loads; empty for a foreign page, such as after a failed load. */
  private shownPage = '';
  private retries = 0;
  private crashReloads: number[] = [];
  private isClosedForGood = false;
  /** The last command for the server's page, sent when the page has loaded. */
  private pendingCommand: ShellCommand | undefined;

  constructor(options: MainWindowOptions) {
    this.options = options;
  }

  /** The window, if it exists. */
  get current(): BrowserWindow | undefined {
    return this.window?.isDestroyed() === false ? this.window : undefined;
  }

  /** Shows the pages of the server at `baseUrl` from now on. A page of that server that is already shown stays. */
  showServer(baseUrl: string): void {
    this.setTargetPage(`${baseUrl}/`, false);
  }

  /** Shows a page of the application instead of the server's; `page` is a `data:` URL. */
  showOffline(page: string): void {
    this.setTargetPage(page, true);
  }

  /** Prevents that a window is opened again. */
  closeForGood(): void {
    this.isClosedForGood = true;
  }

  /** Brings the window to the front. */
  open(): void {
    if (this.isClosedForGood) return;
    const window = this.current;
    if (window === undefined) {
      this.create();
      return;
    }
    if (this.shownPage === '') this.load();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Brings the window to the front with a screen on it. */
  openScreen(path: string): void {
    this.open();
    this.sendCommand({ open: path });
  }

  /** Sends a command to the server's page, after the page has loaded. */
  sendCommand(command: ShellCommand): void {
    const contents = this.current?.webContents;
    if (!this.isOnServer || contents === undefined || contents.isLoadingMainFrame()) this.pendingCommand = command;
    else contents.send(CHANNELS.command, command);
  }

  private create(): void {
    const savedState = readWindowState(this.options.folder);
    const window = new BrowserWindow({
      title: app.getName(),
      ...(savedState?.bounds ?? DEFAULT_SIZE),
      minWidth: MINIMUM_SIZE.width,
      minHeight: MINIMUM_SIZE.height,
      show: false,
      webPreferences: { ...WEB_PREFERENCES, preload: PRELOAD, additionalArguments: [`${VERSION_FLAG}${app.getVersion()}`] },
    });
    this.window = window;
    this.shownPage = '';
    // Maximizing shows a window, even an unpainted one, so it waits for the first paint.
    window.once('ready-to-show', () => {
      if (savedState?.isMaximized) window.maximize();
      window.show();
    });
    const unloadGuard = new UnloadGuard(window, this.options.onStay);
    this.unloadGuard = unloadGuard;
    window.on('close', (event) => {
      if (this.options.onClose(window)) event.preventDefault();
      else unloadGuard.setPendingAction({ run: () => app.quit() });
    });
    saveWindowStateOnChange(window, this.options.folder);
    const { webContents } = window;
    // Hidden windows may still wait for a printer, so Electron would not quit without this.
    window.once('closed', () => app.quit());
    webContents.on('did-finish-load', () => {
      this.options.onLoad();
      this.sendPendingCommand();
    });
    webContents.on('did-navigate', (_event, address, status) => {
      if (status === STATUS_UNAVAILABLE) this.retry();
      else this.handleNavigation(address);
    });
    webContents.on('did-fail-load', (_event, code, _description, _address, isMainFrame) => {
      if (isMainFrame && code !== ERR_ABORTED) this.retry();
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.reloadAfterCrash(reason);
    });
    webContents.on('will-frame-navigate', ({ url }) => {
      const action = this.isOffline && this.shownPage === this.targetPage ? offlineActionOf(url) : undefined;
      if (action !== undefined) this.options.onOfflineAction(action);
    });
    this.load();
  }

  /** True if the window shows or loads the server's page. */
  private get isOnServer(): boolean {
    return !this.isOffline && this.shownPage === this.targetPage;
  }

  private setTargetPage(page: string, isOffline: boolean): void {
    this.targetPage = page;
    this.isOffline = isOffline;
    this.retries = 0;
    if (this.shownPage !== page) this.load();
  }

  private load(): void {
    const window = this.current;
    if (window === undefined || this.targetPage === '') return;
    const previousPage = this.shownPage;
    const onStay = () => {
      this.shownPage = previousPage;
    };
    this.unloadGuard?.setPendingAction({ run: () => this.load(), onStay });
    this.shownPage = this.targetPage;
    window.loadURL(this.targetPage).catch((cause: unknown) => console.error('The window could not load its page.', cause));
  }

  /** Records a page that the user reloaded after a failed load. */
  private handleNavigation(address: string): void {
    this.retries = 0;
    if (this.shownPage === '' && this.targetPage !== '' && address.startsWith(this.targetPage)) this.shownPage = this.targetPage;
  }

  /** Loads the page again later: a restarting service has no pages, and a person may have requested one in that time. */
  private retry(): void {
    this.shownPage = '';
    if (this.retries === RETRIES_MAX) return;
    this.retries += 1;
    const loadAgain = () => {
      if (this.shownPage === '') this.load();
    };
    setTimeout(loadAgain, RETRY_AFTER_MS).unref();
  }

  private reloadAfterCrash(reason: string): void {
    console.error(`The page's process ended: ${reason}.`);
    // A crashed page sends no payment, so its hold on a restart ends.
    this.options.onLoad();
    const now = Date.now();
    this.crashReloads = this.crashReloads.filter((at) => at > now - CRASH_RELOAD_PERIOD_MS);
    if (this.crashReloads.length === CRASH_RELOADS_MAX) {
      this.shownPage = '';
      return;
    }
    this.crashReloads.push(now);
    this.current?.webContents.reload();
  }

  private sendPendingCommand(): void {
    const command = this.pendingCommand;
    if (!this.isOnServer || command === undefined) return;
    this.pendingCommand = undefined;
    this.current?.webContents.send(CHANNELS.command, command);
  }
}
