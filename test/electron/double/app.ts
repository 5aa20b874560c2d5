import { EventEmitter } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { closeBrowser } from './browser.ts';
import { emitPreventable } from './preventable.ts';
import { record } from './record.ts';

const USER_DATA_FLAG = '--user-data-dir=';
const LOCK = 'double-lock';
const ARRIVAL = 'double-arrival.json';

/** Electron's `app`, as far as the shell uses it. Two processes on one data folder know each other by a lock file. */
class App extends EventEmitter {
  readonly isPackaged = false;
  readonly commandLine = {
    hasSwitch: (name: string) => process.argv.some((given) => given === `--${name}` || given.startsWith(`--${name}=`)),
    getSwitchValue: (name: string) => process.argv.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '',
  };
  readonly windows = new Set<{ closeForQuit(): Promise<void> }>();
  private ready = false;
  private isQuitting = false;

  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    mkdirSync(folder, { recursive: true });
    try {
      openSync(join(folder, LOCK), 'wx');
    } catch {
      writeFileSync(join(folder, ARRIVAL), JSON.stringify(process.argv));
      return false;
    }
    record.steps.push('lock');
    process.once('exit', () => rmSync(join(folder, LOCK), { force: true }));
    watch(folder, (_kind, name) => {
      if (name === ARRIVAL) this.welcome(join(folder, ARRIVAL));
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
    rmSync(join(this.getPath('userData'), LOCK), { force: true });
  }

  /** Told on the log too, since it is asked for right before the end. */
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
    if (flag === undefined) throw new Error(`the double wants ${USER_DATA_FLAG}<folder>`);
    return flag.slice(USER_DATA_FLAG.length);
  }

  getName(): string {
    return manifest.productName;
  }

  getVersion(): string {
    return manifest.version;
  }

  setAsDefaultProtocolClient(): never {
    throw new Error('only a packaged application takes the scheme');
  }

  /** The order of Electron's own documents: before-quit, windows close (and may refuse), will-quit, quit. */
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

  /** Ends without asking anybody; that it ends is told. */
  exit(code = 0): never {
    this.emit('quit', {}, code);
    closeBrowser();
    process.exit(code);
  }

  /** The argv of a second process; half-written files are told again. */
  private welcome(file: string): void {
    try {
      const argv = JSON.parse(readFileSync(file, 'utf8')) as string[];
      rmSync(file);
      this.emit('second-instance', {}, argv, '', undefined);
    } catch {}
  }
}

export const app = new App();
