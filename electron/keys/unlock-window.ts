import { app, BrowserWindow, session } from 'electron';
import { PREFERENCES } from '../security.ts';
import { type Question, unlockPage } from './unlock-page.ts';

/** Answer of the person, with the input. */
export interface Answered {
  readonly do: 'choose' | 'enter' | 'recover' | 'retry';
  readonly passphrase: string;
  readonly again: string;
  readonly file: string;
  readonly code: string;
}

const PARTITION = 'unlock';
const FILE_BYTES_MAX = 65_536;
const ACTIONS = ['choose', 'enter', 'recover', 'retry'] as const;

/** Script that runs in the page and returns the input when one of its forms is submitted. The input goes nowhere else. */
const READ = `new Promise((resolve) => {
  for (const form of document.forms) form.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const button of document.querySelectorAll('button')) button.disabled = true;
    const entered = (name) => form.elements.namedItem(name)?.value ?? '';
    const file = form.elements.namedItem('file')?.files?.[0];
    const text = file === undefined ? Promise.resolve('') : file.size > ${FILE_BYTES_MAX} ? Promise.resolve('too large') : file.text();
    text.catch(() => '').then((read) => resolve({ do: form.dataset.do, passphrase: entered('passphrase'), again: entered('again'), file: read, code: entered('code') }));
  });
})`;

/** A small window for the way to the key, opened when it is first needed. Closing it ends the application: without the key there is nothing to show. */
export class UnlockWindow {
  #window: BrowserWindow | undefined;

  async ask(question: Question): Promise<Answered> {
    const window = this.#window ?? this.#open();
    this.#window = window;
    const reading = readFrom(window);
    await window.loadURL(unlockPage(question));
    window.show();
    const read = await reading;
    const text = (name: keyof Answered) => (typeof read[name] === 'string' ? read[name] : '');
    const action = ACTIONS.find((known) => known === read.do);
    if (action === undefined) throw new Error('The page of the key answered something else.');
    return { do: action, passphrase: text('passphrase'), again: text('again'), file: text('file'), code: text('code') };
  }

  close(): void {
    const window = this.#window;
    this.#window = undefined;
    if (window === undefined) return;
    window.removeAllListeners('closed');
    // Electron quits with the last window unless there is a listener; the main window does not exist yet.
    app.once('window-all-closed', () => {});
    window.destroy();
  }

  #open(): BrowserWindow {
    // A separate session in memory that loads nothing, so that the input stays in it.
    const own = session.fromPartition(PARTITION);
    own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
    own.setPermissionCheckHandler(() => false);
    own.setDevicePermissionHandler(() => false);
    own.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !details.url.startsWith('data:') }));
    const window = new BrowserWindow({
      title: app.getName(),
      width: 620,
      height: 680,
      show: false,
      webPreferences: { ...PREFERENCES, partition: PARTITION },
    });
    window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
    window.webContents.on('will-frame-navigate', (event) => event.preventDefault());
    window.once('closed', () => app.exit(0));
    return window;
  }
}

/** Reads the input of the page that loads next, also after a reload, which ends the former page. */
function readFrom({ webContents }: BrowserWindow): Promise<Record<keyof Answered, unknown>> {
  return new Promise((resolve) => {
    const listen = () => {
      webContents.executeJavaScript(READ, true).then(
        (read) => {
          webContents.off('did-finish-load', listen);
          resolve(read as Record<keyof Answered, unknown>);
        },
        (cause: unknown) =>
          console.warn('The page of the key went before it was answered.', cause instanceof Error ? cause.message : cause),
      );
    };
    webContents.on('did-finish-load', listen);
  });
}
