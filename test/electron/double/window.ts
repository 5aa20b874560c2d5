import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { app } from './app.ts';
import { WebContents } from './contents.ts';
import { emitPreventable } from './preventable.ts';
import { record } from './record.ts';

/** Electron's BrowserWindow: what is seen of it is a state, what is in it is a page of Chromium. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  private state = { isVisible: false, isMinimized: false, isMaximized: false, isFocused: false, isDestroyed: false };
  private bounds: Rectangle;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const { show = true, x = 0, y = 0, width = 800, height = 600, webPreferences = {} } = options;
    this.bounds = { x, y, width, height };
    record.steps.push('window');
    this.webContents = new WebContents(webPreferences, { width, height });
    this.state.isVisible = show;
    app.windows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
  }

  static getAllWindows(): BrowserWindow[] {
    return [...app.windows] as BrowserWindow[];
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find(({ webContents }) => webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  show(): void {
    record.steps.push('show');
    this.state.isVisible = true;
  }

  hide(): void {
    record.steps.push('hide');
    this.state.isVisible = false;
    this.state.isFocused = false;
  }

  focus(): void {
    record.steps.push('focus');
    this.state.isFocused = true;
  }

  blur(): void {
    this.state.isFocused = false;
  }

  minimize(): void {
    this.state.isMinimized = true;
  }

  restore(): void {
    this.state.isMinimized = false;
  }

  /** Shows the window too, painted or not. */
  maximize(): void {
    record.steps.push('maximize');
    this.state.isMaximized = true;
    this.state.isVisible = true;
    this.emit('resize');
  }

  isMaximized(): boolean {
    return this.state.isMaximized;
  }

  /** Moves and sizes it as a person does. */
  setBounds(bounds: Rectangle): void {
    this.bounds = bounds;
    this.emit('move');
    this.emit('resize');
  }

  getNormalBounds(): Rectangle {
    return this.bounds;
  }

  isVisible(): boolean {
    return this.state.isVisible;
  }

  isFocused(): boolean {
    return this.state.isFocused;
  }

  isMinimized(): boolean {
    return this.state.isMinimized;
  }

  isDestroyed(): boolean {
    return this.state.isDestroyed;
  }

  /** The close button: the page may object. Without the last window Electron quits, unless somebody decides otherwise. */
  close(): void {
    void this.closeForQuit().then(() => {
      if (app.windows.size === 0 && !app.emit('window-all-closed')) void app.quit();
    });
  }

  destroy(): void {
    if (this.state.isDestroyed) return;
    this.state.isDestroyed = true;
    app.windows.delete(this);
    void this.webContents.close().catch(() => {});
    this.emit('closed');
  }

  /** Closes as at quitting, when the end of the last window is not told. The program is asked before the page. */
  async closeForQuit(): Promise<void> {
    if (this.state.isDestroyed || emitPreventable(this, 'close')) return;
    if (!(await this.webContents.mayUnload())) return;
    this.destroy();
  }
}
