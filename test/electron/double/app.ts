import { EventEmitter } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { closeBrowser } from './browser.ts';
import { emitPreventable } from './preventable.ts';
import { record } from './record.ts';

const USER_DATA_FLAG = '--user-data-dir=';
const LOCK_FILE = 'double-lock';
const SECOND_START_FILE = 'double-arrival.json';

/** Electron's `app`, reduced to what the application uses. A lock file tells two processes on one data folder of each other. */
class App extends EventEmitter {
  readonly isPackaged = false;
  readonly commandLine = {
    hasSwitch: (name: string) => process.argv.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`)),
    getSwitchValue: (name: string) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '',
  };
  readonly windows = new Set<{ closeForQuit(): Promise<void> }>();
  private ready = false;
  private isQuitting = false;

  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    mkdirSync(folder, { recursive: true });
    try {
      openSync(join(folder, LOCK_FILE), 'wx');
    } catch {
      writeFileSync(join(folder, SECOND_START_FILE), JSON.stringify(process.argv));
      return false;
    }
    record.steps.push('lock');
    process.once('exit', () => rmSync(join(folder, LOCK_FILE), { force: true }));
    watch(folder, (_kind, name) => {
      if (name === SECOND_START_FILE) this.handleSecondStart(join(folder, SECOND_START_FILE));
    }).unref();
    return true;
  }

  enableSandbox(): void {
    if (this.ready) throw new Error('app.enableSandbox() can only be called before app is ready');
    record.steps.push('sandbox');
  }

  isReady(): boolean {
    return this.ready;
  }

  async whenReady(): Promise<void> {
    if (this.ready) return;
    this.ready = true;
    record.steps.push('ready');
  }

  setAppUserModelId(): void {}

  releaseSingleInstanceLock(): void {
    record.steps.push('release lock');
    rmSync(join(this.getPath('userData'), LOCK_FILE), { force: true });
  }

  /** Also written to the log, because the process ends right after the call. */
  relaunch({ args = process.argv.slice(1) }: { args?: string[] } = {}): void {
    record.steps.push('relaunch');
    console.error(`To be opened again with: ${args.join(' ')}`);
  }

  getAppPath(): string {
    return process.cwd();
  }

  getLoginItemSettings(): { openAtLogin: boolean; wasOpenedAtLogin: boolean } {
    return { openAtLogin: record.loginItem, wasOpenedAtLogin: false };
  }

  setLoginItemSettings({ openAtLogin }: { openAtLogin: boolean }): void {
    record.loginItem = openAtLogin;
  }

  getPath(name: string): string {
    if (name === 'appData') return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
    if (name === 'downloads') return join(homedir(), 'Downloads');
    if (name !== 'userData') throw new Error(`Failed to get '${name}' path`);
    const flag = process.argv.find((argument) => argument.startsWith(USER_DATA_FLAG));
    if (flag === undefined) throw new Error(`The Electron double needs ${USER_DATA_FLAG}<folder>.`);
    return flag.slice(USER_DATA_FLAG.length);
  }

  getLocale(): string {
    return this.commandLine.getSwitchValue('lang') || 'en-US';
  }

  getName(): string {
    return manifest.productName;
  }

  getVersion(): string {
    return manifest.version;
  }

  setAsDefaultProtocolClient(): never {
    throw new Error('Only a packaged application registers the URL scheme.');
  }

  /** Quits in the documented order of Electron: before-quit, windows close (and may refuse), will-quit, quit. */
  async quit(): Promise<void> {
    if (this.isQuitting) return;
    record.steps.push('quit');
    this.isQuitting = !emitPreventable(this, 'before-quit');
    if (!this.isQuitting) return;
    for (const window of this.windows) await window.closeForQuit();
    this.isQuitting = this.windows.size === 0;
    if (!this.isQuitting) return;
    this.isQuitting = !emitPreventable(this, 'will-quit');
    if (this.isQuitting) this.exit(0);
  }

  /** Ends the process without questions, after the `quit` event. */
  exit(code = 0): never {
    this.emit('quit', {}, code);
    closeBrowser();
    process.exit(code);
  }

  /** Emits `second-instance` with the arguments of a second process. A partly written file is ignored, because its next change is reported too. */
  private handleSecondStart(file: string): void {
    try {
      const argv = JSON.parse(readFileSync(file, 'utf8')) as string[];
      rmSync(file);
      this.emit('second-instance', {}, argv, '', undefined);
    } catch {}
  }
}

export const app = new App();

// The system ends a session so, and Electron quits.
process.on('SIGTERM', () => void app.quit());
