import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { CHANNELS, type ShellCommand, VERSION_FLAG } from './bridge.ts';
import { type OfflineAction, offlineActionOf } from './offline-page.ts';
import { PREFERENCES } from './security.ts';
import { keepWindowState, lastWindowState, SIZE, SIZE_MIN } from './window-state.ts';

const PRELOAD = join(import.meta.dirname, '../preload/preload.cjs');

/** A page that keeps crashing is left as it is. */
const REVIVALS_MAX = 3;

export interface DeskOptions {
  /** Where the window's place on the screen is kept. */
  readonly folder: string;
  /** Told when the window is about to close; true keeps it, since somebody else decides. */
  readonly keepsOpen: (window: BrowserWindow) => boolean;
  /** Told that a person rather stays on a page than lose what is on it. */
  readonly onStay: () => void;
  readonly onOfflineAction: (action: OfflineAction) => void;
  /** Told that a page has begun anew: what the former one said holds no longer. */
  readonly onLoad: () => void;
}

/** The one window and what is in it: a page of the server, or a page of ours while there is no server. Made when it is first wanted. */
export class Desk {
  private readonly options: DeskOptions;
  private window: BrowserWindow | undefined;
  /** What is, or will be, in the window. */
  private page = '';
  private isOffline = false;
  /** What the server's page shall hear as soon as there is one. */
  private unheard: ShellCommand | undefined;

  constructor(options: DeskOptions) {
    this.options = options;
  }

  /** The window, when it is there. */
  get current(): BrowserWindow | undefined {
    return this.window?.isDestroyed() === false ? this.window : undefined;
  }

  /** Shows the pages of the server at `baseUrl` from now on. A page that is there already stays as it is. */
  showServer(baseUrl: string): void {
    const page = `${baseUrl}/`;
    const wasShown = this.page === page;
    this.isOffline = false;
    this.page = page;
    if (!wasShown) this.load();
  }

  /** Shows a page of the shell's own instead. */
  showOffline(page: string): void {
    const wasShown = this.page === page;
    this.isOffline = true;
    this.page = page;
    if (!wasShown) this.load();
  }

  /** Brings the window to the front. */
  open(): void {
    const window = this.current;
    if (window === undefined) {
      this.make();
      return;
    }
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
    if (this.isOffline || contents === undefined || contents.isLoadingMainFrame()) this.unheard = command;
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
    if (last?.isMaximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', (event) => {
      if (this.options.keepsOpen(window)) event.preventDefault();
    });
    keepWindowState(window, this.options.folder);
    askBeforeLosing(window, this.options.onStay);
    reviveAfterCrash(window);
    const { webContents } = window;
    // Hidden windows may still wait for a printer, so that Electron would not quit by itself.
    window.once('closed', () => app.quit());
    webContents.on('did-finish-load', () => {
      this.options.onLoad();
      this.deliver();
    });
    webContents.on('will-frame-navigate', ({ url }) => {
      const action = this.isOffline ? offlineActionOf(url) : undefined;
      if (action !== undefined) this.options.onOfflineAction(action);
    });
    if (this.page !== '') this.load();
  }

  private load(): void {
    this.current?.loadURL(this.page).catch((cause: unknown) => console.error('The window could not load its page.', cause));
  }

  private deliver(): void {
    const command = this.unheard;
    if (this.isOffline || command === undefined) return;
    this.unheard = undefined;
    this.current?.webContents.send(CHANNELS.command, command);
  }
}

/** Without this a page with something unsaved would keep the window open and not say why. */
function askBeforeLosing(window: BrowserWindow, onStay: () => void): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const question = { message: 'Leave this page?', detail: 'What is not finished on it will be lost.', buttons: ['Leave', 'Stay'] };
    const LEAVE = 0;
    if (dialog.showMessageBoxSync(window, { type: 'question', ...question, defaultId: 1, cancelId: 1 }) === LEAVE) event.preventDefault();
    else onStay();
  });
}

function reviveAfterCrash(window: BrowserWindow): void {
  let revivals = 0;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    console.error(`The page's process ended: ${reason}.`);
    if (revivals === REVIVALS_MAX) return;
    revivals += 1;
    window.webContents.reload();
  });
}
