import { app, BrowserWindow, session } from 'electron';
import { WEB_PREFERENCES } from '../security.ts';
import { type UnlockQuestion, unlockPage } from './unlock-page.ts';

/** Input of the person in the unlock window: the chosen action and the fields. */
export interface UnlockInput {
  readonly do: 'choose' | 'enter' | 'recover' | 'retry';
  readonly passphrase: string;
  readonly repeatedPassphrase: string;
  readonly file: string;
  readonly code: string;
}

const PARTITION = 'unlock';
const FILE_BYTES_MAX = 65_536;
const ACTIONS = ['choose', 'enter', 'recover', 'retry'] as const;

/** Script that runs in the page and resolves to the input when a form is submitted. The input is sent nowhere else. */
const READ_INPUT_SCRIPT = `new Promise((resolve) => {
  for (const form of document.forms) form.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const button of document.querySelectorAll('button')) button.disabled = true;
    const entered = (name) => form.elements.namedItem(name)?.value ?? '';
    const file = form.elements.namedItem('file')?.files?.[0];
    const text = file === undefined ? Promise.resolve('') : file.size > ${FILE_BYTES_MAX} ? Promise.resolve('too large') : file.text();
    text.catch(() => '').then((read) => resolve({ do: form.dataset.do, passphrase: entered('passphrase'), repeatedPassphrase: entered('repeatedPassphrase'), file: read, code: entered('code') }));
  });
})`;

/** Window that asks how to open the master key, created on first use. Closing it quits the application, because nothing works without the key. */
export class UnlockWindow {
  #window: BrowserWindow | undefined;

  async ask(question: UnlockQuestion): Promise<UnlockInput> {
    const window = this.#window ?? this.#open();
    this.#window = window;
    const reading = readNextInput(window);
    await window.loadURL(unlockPage(question));
    window.show();
    const read = await reading;
    const text = (name: keyof UnlockInput) => (typeof read[name] === 'string' ? read[name] : '');
    const action = ACTIONS.find((known) => known === read.do);
    if (action === undefined) throw new Error('The unlock page returned an unknown action.');
    return {
      do: action,
      passphrase: text('passphrase'),
      repeatedPassphrase: text('repeatedPassphrase'),
      file: text('file'),
      code: text('code'),
    };
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
    // A separate in-memory session that loads nothing, so that the input is neither stored nor sent.
    const unlockSession = session.fromPartition(PARTITION);
    unlockSession.setPermissionRequestHandler((_contents, _permission, respond) => respond(false));
    unlockSession.setPermissionCheckHandler(() => false);
    unlockSession.setDevicePermissionHandler(() => false);
    unlockSession.webRequest.onBeforeRequest((details, respond) => respond({ cancel: !details.url.startsWith('data:') }));
    const window = new BrowserWindow({
      title: app.getName(),
      width: 620,
      height: 680,
      show: false,
      webPreferences: { ...WEB_PREFERENCES, partition: PARTITION },
    });
    window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
    window.webContents.on('will-frame-navigate', (event) => event.preventDefault());
    window.once('closed', () => app.exit(0));
    return window;
  }
}

/** Reads the input of the page that loads next. A reload ends the script of the previous page, so the script is started again. */
function readNextInput({ webContents }: BrowserWindow): Promise<Record<keyof UnlockInput, unknown>> {
  return new Promise((resolve) => {
    const readInput = () => {
      webContents.executeJavaScript(READ_INPUT_SCRIPT, true).then(
        (read) => {
          webContents.off('did-finish-load', readInput);
          resolve(read as Record<keyof UnlockInput, unknown>);
        },
        (cause: unknown) =>
          console.warn('The unlock page was closed or reloaded before an answer.', cause instanceof Error ? cause.message : cause),
      );
    };
    webContents.on('did-finish-load', readInput);
  });
}
