import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { CHANNELS, type ShellCommand, VERSION_FLAG } from './bridge.ts';
import { linkIn, screenOf } from './deep-link.ts';
import { PREFERENCES } from './security.ts';

const PRELOAD = join(import.meta.dirname, '../preload/preload.cjs');

/** A page that keeps crashing is left as it is. */
const REVIVALS_MAX = 3;

/** Opens the application's window on the server at `baseUrl`; it shows itself when there is something to see. */
export function openMainWindow(baseUrl: string): BrowserWindow {
  const window = new BrowserWindow({
    name: 'main',
    windowStatePersistence: true,
    title: app.getName(),
    width: 1280,
    height: 800,
    minWidth: 800,
    minHeight: 600,
    show: false,
    webPreferences: { ...PREFERENCES, preload: PRELOAD, additionalArguments: [`${VERSION_FLAG}${app.getVersion()}`] },
  });
  window.once('ready-to-show', () => window.show());
  askBeforeLosing(window);
  reviveAfterCrash(window);
  window.loadURL(`${baseUrl}/`).catch((cause: unknown) => console.error('The window could not load its page.', cause));
  return window;
}

/** Hands a command to the page, once it has loaded. */
export function tell(window: BrowserWindow, command: ShellCommand): void {
  if (window.isDestroyed()) return;
  const contents = window.webContents;
  if (contents.isLoadingMainFrame()) contents.once('did-finish-load', () => contents.send(CHANNELS.command, command));
  else contents.send(CHANNELS.command, command);
}

/** Brings the window to the front with a screen on it. */
export function openScreen(window: BrowserWindow, path: string): void {
  if (window.isDestroyed()) return;
  bringToFront(window);
  tell(window, { open: path });
}

/**
 * Catches a second start of the application and `paydesk://` links from now on, the one that started us included, and keeps the last link until there is a window.
 * Answers a function that takes the window: from then on each brings it to the front, and a link opens its screen.
 */
export function catchArrivals(): (window: BrowserWindow) => void {
  let window: BrowserWindow | undefined;
  let waiting = linkIn(process.argv);
  const arrive = (link: string | undefined) => {
    if (window === undefined) {
      waiting = link ?? waiting;
    } else if (!window.isDestroyed()) {
      const screen = link === undefined ? undefined : screenOf(link);
      if (screen === undefined) bringToFront(window);
      else openScreen(window, screen);
    }
  };
  app.on('second-instance', (_event, argv) => arrive(linkIn(argv)));
  // macOS sends the link as an event, for the first start even before we are ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    arrive(link);
  });
  return (opened) => {
    window = opened;
    if (waiting !== undefined) arrive(waiting);
  };
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Without this a page with something unsaved would keep the window open and not say why. */
function askBeforeLosing(window: BrowserWindow): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const question = { message: 'Leave this page?', detail: 'What is not finished on it will be lost.', buttons: ['Leave', 'Stay'] };
    const LEAVE = 0;
    if (dialog.showMessageBoxSync(window, { type: 'question', ...question, defaultId: 1, cancelId: 1 }) === LEAVE) event.preventDefault();
  });
}

function reviveAfterCrash(window: BrowserWindow): void {
  let revivals = 0;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || revivals === REVIVALS_MAX) return;
    revivals += 1;
    window.webContents.reload();
  });
}
