import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { app, autoUpdater as squirrel } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { RestartOutcome, UpdateState } from '../bridge/index.ts';
import { readJson, writeJson } from '../shell-settings.ts';
import { isExpired, isSignedUpdate, isTrustedFeed, parseFeedUrl, type SignedUpdate } from './update-trust.ts';

const FIRST_CHECK_AFTER_MS = 30_000;
const CHECK_EVERY_MS = 6 * 60 * 60_000;
/** Time after which an unfinished installer has failed. */
const INSTALL_MS_MAX = 60_000;
/** Time after which Squirrel has failed on macOS; until then it copies, unpacks and verifies the downloaded file. */
const SQUIRREL_MS_MAX = 30 * 60_000;
/** Time for a started installer to end this application; after it, the installation has failed. */
const QUIT_MS_MAX = 15_000;
const NOTES_LENGTH_MAX = 8_000;
/** File that names the version to be installed, for the next start. */
const MARKER = 'update.json';

interface UpdatesOptions {
  /** Folder for small files of the application. */
  readonly folder: string;
  /** Called on each new state. */
  readonly onStateChange: (state: UpdateState) => void;
  /** Returns the reason why the application cannot restart now; undefined if it can. */
  readonly restartObstacle: () => string | undefined;
}

/**
 * Updates: found and downloaded in the background, and installed when the application quits, never before.
 * After an error the running version stays. The library is loaded on first use.
 */
export class Updates {
  state: UpdateState;
  /** True if a restart was requested, so that quitting installs the update and opens the application again. */
  isRestarting = false;
  private readonly options: UpdatesOptions;
  private readonly feed: string | undefined;
  private updater: Promise<AppUpdater> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private squirrelTimer: NodeJS.Timeout | undefined;

  constructor(options: UpdatesOptions) {
    this.options = options;
    this.feed = findFeedFile();
    this.state = { status: this.feed === undefined ? 'off' : 'none', version: app.getVersion() };
    this.checkLastInstallation();
  }

  /** Starts the periodic check after the start of the application. */
  startChecking(): void {
    if (this.feed === undefined) return;
    const checkRepeatedly = () => {
      void this.check();
      this.timer = setTimeout(checkRepeatedly, CHECK_EVERY_MS).unref();
    };
    this.timer = setTimeout(checkRepeatedly, FIRST_CHECK_AFTER_MS).unref();
  }

  /** Checks for a new version and returns the result; a download continues. */
  async check(): Promise<UpdateState> {
    if (this.feed === undefined || ['checking', 'downloading', 'ready'].includes(this.state.status)) return this.state;
    this.setState({ status: 'checking', checkedAt: new Date().toISOString() });
    try {
      const address = parseFeedUrl(readFileSync(this.feed, 'utf8'));
      if (address === null || !isTrustedFeed(address, !app.isPackaged)) throw untrustedError('INSECURE');
      const updater = await this.loadUpdater(this.feed);
      const found = await updater.checkForUpdates();
      // A description that offers nothing is checked as well, because it may be an old one that hides a newer version.
      if (found !== null) requireTrusted(found.updateInfo as SignedUpdate, address);
      if (found?.isUpdateAvailable) {
        // A failure of the download is reported by the error event.
        updater.downloadUpdate().catch(() => undefined);
      } else this.setState({ status: 'none' });
    } catch (cause) {
      this.fail(cause);
    }
    return this.state;
  }

  /** Restarts the application with the new version, unless a payment is being sent. */
  restart(): RestartOutcome {
    if (this.state.status !== 'ready') return { restarting: false, problem: 'No new version is ready.' };
    const problem = this.options.restartObstacle();
    if (problem !== undefined) return { restarting: false, problem };
    this.isRestarting = true;
    // Quits after the page has received the response.
    setImmediate(() => app.quit());
    return { restarting: true };
  }

  /** Cancels a requested restart: the update is installed when the application quits. */
  cancelRestart(): void {
    this.isRestarting = false;
  }

  /**
   * Called when the service has stopped. If a restart was requested, installs a downloaded version and opens it; otherwise quitting installs
   * it. Returns true if the installation ends the application.
   */
  async installOnExit(): Promise<boolean> {
    clearTimeout(this.timer);
    if (this.state.status !== 'ready' || this.updater === undefined) return false;
    this.writeMarker(Date.now());
    if (!this.isRestarting) return false;
    const updater = await this.updater;
    // The new version would otherwise treat this process as the first instance and end.
    app.releaseSingleInstanceLock();
    const outcome = new Promise<'quits' | 'failed' | 'late'>((resolve) => {
      app.once('quit', () => resolve('quits'));
      updater.once('error', () => resolve('failed'));
      setTimeout(resolve, QUIT_MS_MAX, 'late');
    });
    updater.quitAndInstall(true, true);
    if ((await outcome) === 'quits') return true;
    console.error('The update was not installed, so the current version is opened again.');
    // The installation is not repeated when the application quits, and the marker's zero keeps the next start from waiting for it.
    updater.autoInstallOnAppQuit = false;
    this.writeMarker(0);
    this.isRestarting = false;
    app.relaunch();
    return false;
  }

  private loadUpdater(feed: string): Promise<AppUpdater> {
    this.updater ??= import('electron-updater').then(({ default: { autoUpdater } }) => {
      autoUpdater.updateConfigPath = feed;
      autoUpdater.forceDevUpdateConfig = !app.isPackaged;
      // The description of a new version is checked before its files are downloaded.
      autoUpdater.autoDownload = false;
      autoUpdater.autoInstallOnAppQuit = true;
      autoUpdater.allowDowngrade = false;
      autoUpdater.disableWebInstaller = true;
      autoUpdater.logger = { info: () => undefined, warn: (message) => console.warn(message), error: (message) => console.error(message) };
      autoUpdater.on('update-available', ({ version, releaseNotes }) => {
        this.setState({ status: 'downloading', next: version, notes: plainTextNotes(releaseNotes), percent: 0 });
      });
      autoUpdater.on('download-progress', ({ percent }) => this.setState({ status: 'downloading', percent: Math.floor(percent) }));
      autoUpdater.on('update-downloaded', ({ version }) => {
        if (process.platform === 'darwin') this.awaitSquirrel(version);
        else this.setState({ status: 'ready', next: version, percent: 100 });
      });
      autoUpdater.on('error', (cause) => this.fail(cause));
      return autoUpdater;
    });
    return this.updater;
  }

  /** Waits for Squirrel on macOS, which takes the file after the download. An installation before that would wait indefinitely. */
  private awaitSquirrel(version: string): void {
    this.setState({ status: 'downloading', next: version, percent: 100 });
    squirrel.once('update-downloaded', () => {
      clearTimeout(this.squirrelTimer);
      this.setState({ status: 'ready', next: version, percent: 100 });
    });
    clearTimeout(this.squirrelTimer);
    this.squirrelTimer = setTimeout(() => this.fail(new Error('Squirrel did not accept the update in time.')), SQUIRREL_MS_MAX).unref();
  }

  /** Writes which version is being installed and since when, for the next start. */
  private writeMarker(at: number): void {
    writeJson(join(this.options.folder, MARKER), { from: this.state.version, to: this.state.next, at });
  }

  private setState(change: Partial<UpdateState>): void {
    const { problem: _, ...previous } = this.state;
    this.state = { ...previous, ...change };
    this.options.onStateChange(this.state);
  }

  private fail(cause: unknown): void {
    const message = `${describeFailure(cause)} Version ${this.state.version} keeps running.`;
    clearTimeout(this.squirrelTimer);
    if (this.state.status !== 'failed') console.error('The update failed.', cause);
    this.setState({ status: 'failed', problem: message });
  }

  /** Reports a failed installation: its installer left the marker and the old version. */
  private checkLastInstallation(): void {
    const file = join(this.options.folder, MARKER);
    const { to } = (readJson(file) ?? {}) as { to?: unknown };
    rmSync(file, { force: true });
    if (typeof to !== 'string' || to === this.state.version || this.feed === undefined) return;
    const problem = `Version ${to} could not be installed. Version ${this.state.version} keeps running.`;
    this.state = { ...this.state, status: 'failed', next: to, problem };
  }
}

/** Returns true while an installer is running. Windows allows opening the application then, which makes the installer fail. */
export function isBeingInstalled(folder: string): boolean {
  if (process.platform !== 'win32') return false;
  const { from, at } = (readJson(join(folder, MARKER)) ?? {}) as { from?: unknown; at?: unknown };
  return from === app.getVersion() && typeof at === 'number' && Date.now() - at < INSTALL_MS_MAX;
}

type UntrustedCode = 'INSECURE' | 'UNSIGNED' | 'EXPIRED';
const UNTRUSTED_MESSAGES: Readonly<Record<UntrustedCode, string>> = {
  INSECURE: 'Updates require HTTPS, so nothing was downloaded.',
  UNSIGNED: 'The new version has no valid signature of its publisher, so it was not downloaded.',
  EXPIRED:
    'The information on the update server has expired, so newer versions may be missing and nothing was downloaded. Check the date of this computer, or ask the publisher of Paydesk.',
};
const untrustedError = (code: UntrustedCode): Error => Object.assign(new Error(UNTRUSTED_MESSAGES[code]), { code });

/**
 * Refuses a description without a valid signature of its publisher, on every system, also where an installer checks a signature of its own;
 * one that has expired; and files that would be downloaded without TLS. The checksums in the description cover the files.
 */
function requireTrusted(update: SignedUpdate, feed: URL): void {
  if (update.files.some(({ url }) => !isTrustedFeed(new URL(url, feed), !app.isPackaged))) throw untrustedError('INSECURE');
  if (!isSignedUpdate(update, readPublicKey())) throw untrustedError('UNSIGNED');
  if (isExpired(update, Date.now())) throw untrustedError('EXPIRED');
}

/** Returns the publisher's public key, which is packaged into the application like the update address; an empty text if there is none. */
function readPublicKey(): string {
  const file = app.isPackaged ? join(process.resourcesPath, 'update-public-key.pem') : process.env.PAYDESK_UPDATE_PUBLIC_KEY;
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * Returns the file with the update address, which is packaged into the application so that it cannot be changed. An unpackaged application
 * reads the path from the environment, for tests.
 */
function findFeedFile(): string | undefined {
  const file = app.isPackaged ? join(process.resourcesPath, 'app-update.yml') : process.env.PAYDESK_UPDATE_CONFIG;
  return file !== undefined && existsSync(file) ? file : undefined;
}

function describeFailure(cause: unknown): string {
  const { code, message } = (cause instanceof Error ? cause : new Error(String(cause))) as NodeJS.ErrnoException;
  if (code !== undefined && code in UNTRUSTED_MESSAGES) return UNTRUSTED_MESSAGES[code as UntrustedCode];
  if (code === 'ERR_CHECKSUM_MISMATCH') return 'The download does not match the published checksum, so it was discarded.';
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return 'The download has no valid signature of its publisher, so it was discarded.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND') return 'The update server has no version for this system.';
  if (/^(net::|ECONN|ENOTFOUND|ETIMEDOUT|EAI_|socket hang up)/.test(code ?? message) || /aborted|net::|ECONN/.test(message)) {
    return 'The update server could not be reached, or the connection was lost.';
  }
  return 'The update could not be downloaded. The log contains the reason.';
}

/** Returns release notes as plain text; the input may be HTML or a list of versions. */
function plainTextNotes(notes: unknown): string {
  const texts = Array.isArray(notes)
    ? notes.map(({ version, note }) => `${version}\n${note ?? ''}`)
    : [typeof notes === 'string' ? notes : ''];
  const text = texts
    .join('\n\n')
    .replace(/<(?:br|\/p|\/li|\/h\d)[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '');
  return text.trim().slice(0, NOTES_LENGTH_MAX);
}
