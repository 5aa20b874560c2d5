import { join } from 'node:path';
import { app, clipboard, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { Desk } from './desk.ts';
import type { ServiceState } from './keep-server.ts';

const PICTURES = join(import.meta.dirname, '../../electron/resources');

/** The icon that stays while the window is closed: how the service is, and the ways back to it. */
export class TrayIcon {
  private readonly desk: Desk;
  private readonly tray: Tray;

  constructor(desk: Desk) {
    this.desk = desk;
    // macOS colours a template picture like the rest of its bar.
    const picture = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
    this.tray = new Tray(nativeImage.createFromPath(join(PICTURES, picture)));
    this.tray.on('click', () => desk.open());
    this.show({ kind: 'starting' });
  }

  /** Says how the service is. Linux wants a whole new menu for every change. */
  show(state: ServiceState): void {
    const address = state.kind === 'running' ? state.baseUrl : undefined;
    const words = wordsOf(state);
    this.tray.setToolTip(`${app.getName()}: ${words}`);
    const line: MenuItemConstructorOptions = { type: 'separator' };
    this.tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Paydesk', click: () => this.desk.open() },
        {
          label: 'New sale',
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
        { label: 'Quit Paydesk', click: () => app.quit() },
      ]),
    );
  }
}

function wordsOf(state: ServiceState): string {
  if (state.kind === 'running') return `API running at ${new URL(state.baseUrl).host}`;
  return state.kind === 'troubled' ? `API not running: ${state.trouble.title}` : 'API starting';
}
