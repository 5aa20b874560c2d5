import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { app } from './app.ts';
import { emitPreventable } from './preventable.ts';
import { record } from './record.ts';
import { WebContents } from './web-contents.ts';

/** Electron's BrowserWindow: its visibility is only recorded, its content is a page of Chromium. */
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

  /** Maximizes and shows the window, painted or not, as Electron does. */
  maximize(): void {
    record.steps.push('maximize');
    this.state.isMaximized = true;
    this.state.isVisible = true;
    this.emit('resize');
  }

  isMaximized(): boolean {
    return this.state.isMaximized;
  }

  /** Moves and resizes the window as a person does, with the events. */
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

  /** Closes the window like the close button: the page may object. After the last window Electron quits, unless a listener handles it. */
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

  /** Closes the window while quitting, without `window-all-closed`. The `close` event comes before the page's own objection. */
  async closeForQuit(): Promise<void> {
    if (this.state.isDestroyed || emitPreventable(this, 'close')) return;
    if (!(await this.webContents.mayUnload())) return;
    this.destroy();
  }
}
