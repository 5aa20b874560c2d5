import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';
import { CHANNELS, type ShellCommand, VERSION_FLAG } from '../bridge/index.ts';
import { PREFERENCES } from '../security.ts';
import { Leaving } from './leaving.ts';
import { type OfflineAction, offlineActionOf } from './offline-page.ts';
import { keepWindowState, lastWindowState, SIZE, SIZE_MIN } from './window-state.ts';

const PRELOAD = join(import.meta.dirname, '../preload/preload.cjs');

/** Number of crashes within the period after which the page is not reloaded until the window is opened again. */
const REVIVALS_MAX = 3;
const REVIVALS_WITHIN_MS = 10 * 60_000;
/** A page that could not be loaded is tried again so often; afterwards when the service is back, or the window is opened. */
const RETRIES_MAX = 5;
const RETRY_AFTER_MS = 1_000;
/** Chromium's number for a load that was given up for another. */
const ERR_ABORTED = -3;
/** A service that is stopping answers so. */
const STATUS_UNAVAILABLE = 503;

interface DeskOptions {
  /** Folder for the window's position. */
  readonly folder: string;
  /** Called before the window closes; true keeps it open, because the caller decides later. */
  readonly keepsOpen: (window: BrowserWindow) => boolean;
  /** Called when a person decides to stay on a page. */
  readonly onStay: () => void;
  readonly onOfflineAction: (action: OfflineAction) => void;
  /** Called when a page has loaded: state reported by the former one is invalid. */
  readonly onLoad: () => void;
}

/** The only window and its content: a page of the server, or an offline page without one. Created when it is needed first. */
export class Desk {
  private readonly options: DeskOptions;
  private window: BrowserWindow | undefined;
  private leaving: Leaving | undefined;
  /** Page that the window should show. */
  private page = '';
  private isOffline = false;
  /** Page that the window shows or loads; empty for a foreign page, such as after a failed load. */
  private shown = '';
  private retries = 0;
  private revivals: number[] = [];
  private isOver = false;
  /** Messages for the server's page, sent as soon as there is one. */
  private unheard: ShellCommand | undefined;

  constructor(options: DeskOptions) {
    this.options = options;
  }

  /** The window, if it exists. */
  get current(): BrowserWindow | undefined {
    return this.window?.isDestroyed() === false ? this.window : undefined;
  }

  /** Shows the pages of the server at `baseUrl` from now on. A page that is shown already stays. */
  showServer(baseUrl: string): void {
    this.want(`${baseUrl}/`, false);
  }

  /** Shows a page of the shell's own instead. */
  showOffline(page: string): void {
    this.want(page, true);
  }

  /** No window is opened any more. */
  end(): void {
    this.isOver = true;
  }

  /** Brings the window to the front. */
  open(): void {
    if (this.isOver) return;
    const window = this.current;
    if (window === undefined) {
      this.make();
      return;
    }
    if (this.shown === '') this.load();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Brings the window to the front with a screen on it. */
  openScreen(path: string): void {
    this.open();
    this.tell({ open: path });
  }

  /** Hands a command to the server's page, once it has loaded. */
  tell(command: ShellCommand): void {
    const contents = this.current?.webContents;
    if (!this.isOnServer || contents === undefined || contents.isLoadingMainFrame()) this.unheard = command;
    else contents.send(CHANNELS.command, command);
  }

  private make(): void {
    const last = lastWindowState(this.options.folder);
    const window = new BrowserWindow({
      title: app.getName(),
      ...(last?.bounds ?? SIZE),
      minWidth: SIZE_MIN.width,
      minHeight: SIZE_MIN.height,
      show: false,
      webPreferences: { ...PREFERENCES, preload: PRELOAD, additionalArguments: [`${VERSION_FLAG}${app.getVersion()}`] },
    });
    this.window = window;
    this.shown = '';
    // Maximizing shows a window, painted or not.
    window.once('ready-to-show', () => {
      if (last?.isMaximized) window.maximize();
      window.show();
    });
    const leaving = new Leaving(window, this.options.onStay);
    this.leaving = leaving;
    window.on('close', (event) => {
      if (this.options.keepsOpen(window)) event.preventDefault();
      else leaving.wants({ again: () => app.quit() });
    });
    keepWindowState(window, this.options.folder);
    const { webContents } = window;
    // Hidden windows may still wait for a printer, so Electron would not quit by itself.
    window.once('closed', () => app.quit());
    webContents.on('did-finish-load', () => {
      this.options.onLoad();
      this.deliver();
    });
    webContents.on('did-navigate', (_event, address, status) => {
      if (status === STATUS_UNAVAILABLE) this.retry();
      else this.arrived(address);
    });
    webContents.on('did-fail-load', (_event, code, _description, _address, isMainFrame) => {
      if (isMainFrame && code !== ERR_ABORTED) this.retry();
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.revive(reason);
    });
    webContents.on('will-frame-navigate', ({ url }) => {
      const action = this.isOffline && this.shown === this.page ? offlineActionOf(url) : undefined;
      if (action !== undefined) this.options.onOfflineAction(action);
    });
    this.load();
  }

  /** True if the window shows or loads the server's page. */
  private get isOnServer(): boolean {
    return !this.isOffline && this.shown === this.page;
  }

  private want(page: string, isOffline: boolean): void {
    this.page = page;
    this.isOffline = isOffline;
    this.retries = 0;
    if (this.shown !== page) this.load();
  }

  private load(): void {
    const window = this.current;
    if (window === undefined || this.page === '') return;
    const former = this.shown;
    const onStay = () => {
      this.shown = former;
    };
    this.leaving?.wants({ again: () => this.load(), onStay });
    this.shown = this.page;
    window.loadURL(this.page).catch((cause: unknown) => console.error('The window could not load its page.', cause));
  }

  /** A page may be loaded again by its user too, after it had failed. */
  private arrived(address: string): void {
    this.retries = 0;
    if (this.shown === '' && this.page !== '' && address.startsWith(this.page)) this.shown = this.page;
  }

  /** A restarting service has no pages in the meantime, and a person may have requested one. */
  private retry(): void {
    this.shown = '';
    if (this.retries === RETRIES_MAX) return;
    this.retries += 1;
    const again = () => {
      if (this.shown === '') this.load();
    };
    setTimeout(again, RETRY_AFTER_MS).unref();
  }

  private revive(reason: string): void {
    console.error(`The page's process ended: ${reason}.`);
    // What it held, it holds no longer.
    this.options.onLoad();
    const now = Date.now();
    this.revivals = this.revivals.filter((at) => at > now - REVIVALS_WITHIN_MS);
    if (this.revivals.length === REVIVALS_MAX) {
      this.shown = '';
      return;
    }
    this.revivals.push(now);
    this.current?.webContents.reload();
  }

  private deliver(): void {
    const command = this.unheard;
    if (!this.isOnServer || command === undefined) return;
    this.unheard = undefined;
    this.current?.webContents.send(CHANNELS.command, command);
  }
}
