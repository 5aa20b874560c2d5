import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { app, autoUpdater as squirrel } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { RestartOutcome, UpdateState } from '../bridge/index.ts';
import { readJson, writeJson } from '../shell-settings.ts';
import { feedUrlIn, isSignedUpdate, isTrustedFeed, type SignedUpdate } from './update-trust.ts';

const FIRST_CHECK_AFTER_MS = 30_000;
const CHECK_EVERY_MS = 6 * 60 * 60_000;
/** An installer that has not finished by then has failed. */
const INSTALL_MS_MAX = 60_000;
/** Time after which the installation on macOS has failed: Squirrel copies the downloaded file, unpacks and verifies it. */
const SQUIRREL_MS_MAX = 30 * 60_000;
/** An application that has not ended by then for an installer that was begun does not end for it. */
const QUIT_MS_MAX = 15_000;
const NOTES_MAX = 8_000;
/** Tells the next start which version was to be installed. */
const MARKER = 'update.json';

interface UpdatesOptions {
  /** Folder for small files of the application. */
  readonly folder: string;
  /** Called on each new state. */
  readonly tell: (state: UpdateState) => void;
  /** Returns the reason why the application cannot quit now; undefined if it can. */
  readonly obstacle: () => string | undefined;
}

/**
 * Updates: found and downloaded in the background, and installed when the application quits, never before (experience 1.2 row 19, 2.18).
 * After an error the running version stays. The library is loaded on first use.
 */
export class Updates {
  state: UpdateState;
  /** True once a restart was asked for: the end of the application then installs and opens it again. */
  isRestarting = false;
  private readonly options: UpdatesOptions;
  private readonly feed: string | undefined;
  private updater: Promise<AppUpdater> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private squirrelTimer: NodeJS.Timeout | undefined;

  constructor(options: UpdatesOptions) {
    this.options = options;
    this.feed = feedFile();
    this.state = { status: this.feed === undefined ? 'off' : 'none', version: app.getVersion() };
    this.seeLastInstall();
  }

  /** Starts the periodic check after the start of the application. */
  begin(): void {
    if (this.feed === undefined) return;
    const look = () => {
      void this.check();
      this.timer = setTimeout(look, CHECK_EVERY_MS).unref();
    };
    this.timer = setTimeout(look, FIRST_CHECK_AFTER_MS).unref();
  }

  /** Checks for a new version and returns the result; a download continues. */
  async check(): Promise<UpdateState> {
    if (this.feed === undefined || ['checking', 'downloading', 'ready'].includes(this.state.status)) return this.state;
    this.become({ status: 'checking', checkedAt: new Date().toISOString() });
    try {
      const address = feedUrlIn(readFileSync(this.feed, 'utf8'));
      if (address === null || !isTrustedFeed(address, !app.isPackaged)) throw distrust('INSECURE');
      const updater = await this.open(this.feed);
      const found = await updater.checkForUpdates();
      if (found?.isUpdateAvailable) {
        checkTrust(found.updateInfo as SignedUpdate, address);
        // A failure of the download is reported by the error event.
        updater.downloadUpdate().catch(() => undefined);
      } else this.become({ status: 'none' });
    } catch (cause) {
      this.fail(cause);
    }
    return this.state;
  }

  /** Begins the restart, unless a payment is being sent. */
  restart(): RestartOutcome {
    if (this.state.status !== 'ready') return { restarting: false, problem: 'No new version is ready.' };
    const problem = this.options.obstacle();
    if (problem !== undefined) return { restarting: false, problem };
    this.isRestarting = true;
    // The page is answered first.
    setImmediate(() => app.quit());
    return { restarting: true };
  }

  /** The person stays: nothing is installed until the application quits. */
  stay(): void {
    this.isRestarting = false;
  }

  /**
   * Called when the service has stopped. Installs a downloaded version and opens it if a restart was requested; without a restart, it is
   * installed by quitting. Returns true if this ends the application.
   */
  async finish(): Promise<boolean> {
    clearTimeout(this.timer);
    if (this.state.status !== 'ready' || this.updater === undefined) return false;
    this.mark(Date.now());
    if (!this.isRestarting) return false;
    const updater = await this.updater;
    // What is opened next would take us for the first one.
    app.releaseSingleInstanceLock();
    const outcome = new Promise<'quits' | 'failed' | 'late'>((resolve) => {
      app.once('quit', () => resolve('quits'));
      updater.once('error', () => resolve('failed'));
      setTimeout(resolve, QUIT_MS_MAX, 'late');
    });
    updater.quitAndInstall(true, true);
    if ((await outcome) === 'quits') return true;
    console.error('The update was not installed, so this version is opened again.');
    // A failed installation is not repeated when the application quits, and does not delay the next start.
    updater.autoInstallOnAppQuit = false;
    this.mark(0);
    this.isRestarting = false;
    app.relaunch();
    return false;
  }

  private open(feed: string): Promise<AppUpdater> {
    this.updater ??= import('electron-updater').then(({ default: { autoUpdater } }) => {
      autoUpdater.updateConfigPath = feed;
      autoUpdater.forceDevUpdateConfig = !app.isPackaged;
      // The description of a new version is checked before anything is fetched.
      autoUpdater.autoDownload = false;
      autoUpdater.autoInstallOnAppQuit = true;
      autoUpdater.allowDowngrade = false;
      autoUpdater.disableWebInstaller = true;
      autoUpdater.logger = { info: () => undefined, warn: (words) => console.warn(words), error: (words) => console.error(words) };
      autoUpdater.on('update-available', ({ version, releaseNotes }) => {
        this.become({ status: 'downloading', next: version, notes: notesIn(releaseNotes), percent: 0 });
      });
      autoUpdater.on('download-progress', ({ percent }) => this.become({ status: 'downloading', percent: Math.floor(percent) }));
      autoUpdater.on('update-downloaded', ({ version }) => {
        if (process.platform === 'darwin') this.awaitSquirrel(version);
        else this.become({ status: 'ready', next: version, percent: 100 });
      });
      autoUpdater.on('error', (cause) => this.fail(cause));
      return autoUpdater;
    });
    return this.updater;
  }

  /** On macOS the download is complete before Squirrel has taken it; installing earlier would wait indefinitely. */
  private awaitSquirrel(version: string): void {
    this.become({ status: 'downloading', next: version, percent: 100 });
    squirrel.once('update-downloaded', () => {
      clearTimeout(this.squirrelTimer);
      this.become({ status: 'ready', next: version, percent: 100 });
    });
    clearTimeout(this.squirrelTimer);
    this.squirrelTimer = setTimeout(() => this.fail(new Error('Squirrel did not take the update in time.')), SQUIRREL_MS_MAX).unref();
  }

  /** Tells the next start which version is being installed, and since when. */
  private mark(at: number): void {
    writeJson(join(this.options.folder, MARKER), { from: this.state.version, to: this.state.next, at });
  }

  private become(change: Partial<UpdateState>): void {
    const { problem: _, ...former } = this.state;
    this.state = { ...former, ...change };
    this.options.tell(this.state);
  }

  private fail(cause: unknown): void {
    const words = `${wordsOf(cause)} Version ${this.state.version} keeps running.`;
    clearTimeout(this.squirrelTimer);
    if (this.state.status !== 'failed') console.error('The update failed.', cause);
    this.become({ status: 'failed', problem: words });
  }

  /** An installer that failed after we were gone leaves its marker and the old version. */
  private seeLastInstall(): void {
    const file = join(this.options.folder, MARKER);
    const { to } = (readJson(file) ?? {}) as { to?: unknown };
    rmSync(file, { force: true });
    if (typeof to !== 'string' || to === this.state.version || this.feed === undefined) return;
    const problem = `Version ${to} could not be installed. Version ${this.state.version} keeps running.`;
    this.state = { ...this.state, status: 'failed', next: to, problem };
  }
}

/** Returns true while an installer is working: Windows lets a person open the application then, which makes the installer fail. */
export function isBeingInstalled(folder: string): boolean {
  if (process.platform !== 'win32') return false;
  const { from, at } = (readJson(join(folder, MARKER)) ?? {}) as { from?: unknown; at?: unknown };
  return from === app.getVersion() && typeof at === 'number' && Date.now() - at < INSTALL_MS_MAX;
}

type Distrust = 'INSECURE' | 'UNSIGNED';
const DISTRUST: Readonly<Record<Distrust, string>> = {
  INSECURE: 'Updates are taken over HTTPS only, so nothing was fetched.',
  UNSIGNED: 'The new version is not signed by its maker, so it was not fetched.',
};
const distrust = (code: Distrust): Error => Object.assign(new Error(DISTRUST[code]), { code });

/**
 * Refuses a new version whose files would come over an open line. On Linux, where no installer checks a signature, the description must be signed; its checksums
 * bind the files.
 */
function checkTrust(update: SignedUpdate, feed: URL): void {
  if (update.files.some(({ url }) => !isTrustedFeed(new URL(url, feed), !app.isPackaged))) throw distrust('INSECURE');
  if (process.platform === 'linux' && !isSignedUpdate(update, publicKey())) throw distrust('UNSIGNED');
}

/** The maker's public key, packaged into the application as the address of new versions is; an empty text if there is none. */
function publicKey(): string {
  const file = app.isPackaged ? join(process.resourcesPath, 'update-public-key.pem') : process.env.PAYDESK_UPDATE_PUBLIC_KEY;
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * File with the update address, packaged into the application so that nobody can change it. Unpackaged programs read the environment, for
 * tests.
 */
function feedFile(): string | undefined {
  const file = app.isPackaged ? join(process.resourcesPath, 'app-update.yml') : process.env.PAYDESK_UPDATE_CONFIG;
  return file !== undefined && existsSync(file) ? file : undefined;
}

function wordsOf(cause: unknown): string {
  const { code, message } = (cause instanceof Error ? cause : new Error(String(cause))) as NodeJS.ErrnoException;
  if (code !== undefined && code in DISTRUST) return DISTRUST[code as Distrust];
  if (code === 'ERR_CHECKSUM_MISMATCH') return 'What was fetched is not what was published, so it was thrown away.';
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return 'What was fetched is not signed by its maker, so it was thrown away.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND') return 'The update server has nothing for this system.';
  if (/^(net::|ECONN|ENOTFOUND|ETIMEDOUT|EAI_|socket hang up)/.test(code ?? message) || /aborted|net::|ECONN/.test(message)) {
    return 'The update server could not be reached, or broke off.';
  }
  return 'The update could not be fetched; the log says why.';
}

/** Notes as words: they may come as HTML, or as a list of versions. */
function notesIn(notes: unknown): string {
  const texts = Array.isArray(notes)
    ? notes.map(({ version, note }) => `${version}\n${note ?? ''}`)
    : [typeof notes === 'string' ? notes : ''];
  const text = texts
    .join('\n\n')
    .replace(/<(?:br|\/p|\/li|\/h\d)[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '');
  return text.trim().slice(0, NOTES_MAX);
}
