import { join } from 'node:path';
import { app, clipboard, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { ServiceState } from '../server-process/keep-server.ts';
import type { Desk } from './main-window.ts';

const PICTURES = join(import.meta.dirname, '../../electron/resources');

/** The icon that stays while the window is closed: how the service is, and the ways back to it. */
export class TrayIcon {
  private readonly desk: Desk;
  private readonly tray: Tray;
  private state: ServiceState = { kind: 'starting' };
  private isQuittingSoon = false;

  constructor(desk: Desk) {
    this.desk = desk;
    // macOS colours a template picture like the rest of its bar.
    const picture = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
    this.tray = new Tray(nativeImage.createFromPath(join(PICTURES, picture)));
    this.tray.on('click', () => desk.open());
    this.show(this.state);
  }

  /** Shows the state of the service. */
  show(state: ServiceState): void {
    this.state = state;
    this.draw();
  }

  /** Shows that the application quits when the payments in flight have been answered, or that it no longer will. */
  quitsSoon(isQuittingSoon: boolean): void {
    this.isQuittingSoon = isQuittingSoon;
    this.draw();
  }

  /** Linux wants a whole new menu for every change. */
  private draw(): void {
    const { state } = this;
    const address = state.kind === 'running' ? state.baseUrl : undefined;
    const isOver = state.kind === 'closed';
    const words = this.isQuittingSoon && !isOver ? 'quits when the payments in flight are answered' : wordsOf(state);
    this.tray.setToolTip(`${app.getName()}: ${words}`);
    const line: MenuItemConstructorOptions = { type: 'separator' };
    this.tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Paydesk', enabled: !isOver, click: () => this.desk.open() },
        {
          label: 'New sale',
          enabled: !isOver,
          click: () => {
            this.desk.open();
            this.desk.tell('new-sale');
          },
        },
        line,
        { label: words, enabled: false },
        {
          label: 'Copy the API’s address',
          enabled: address !== undefined,
          click: () => clipboard.writeText(address ?? ''),
        },
        line,
        { label: isOver ? 'Quit now' : 'Quit Paydesk', click: () => app.quit() },
      ]),
    );
  }
}

function wordsOf(state: ServiceState): string {
  if (state.kind === 'running') return `API running at ${new URL(state.baseUrl).host}`;
  if (state.kind === 'closed') return 'API stopping';
  return state.kind === 'troubled' ? `API not running: ${state.trouble.title}` : 'API starting';
}
