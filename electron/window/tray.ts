import { join } from 'node:path';
import { app, clipboard, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import { t } from '../language/index.ts';
import type { ServiceState } from '../server-process/server-supervisor.ts';
import type { MainWindow } from './main-window.ts';

const ICON_FOLDER = join(import.meta.dirname, '../../electron/resources');

/** Tray icon with the state of the service and a menu. It stays while the window is closed. */
export class TrayIcon {
  private readonly mainWindow: MainWindow;
  private readonly tray: Tray;
  private state: ServiceState = { kind: 'starting' };
  private isQuitPending = false;

  constructor(mainWindow: MainWindow) {
    this.mainWindow = mainWindow;
    // macOS colors a template image like the rest of its menu bar.
    const icon = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
    this.tray = new Tray(nativeImage.createFromPath(join(ICON_FOLDER, icon)));
    this.tray.on('click', () => mainWindow.open());
    this.show(this.state);
  }

  /** Shows the state of the service, in the present language. */
  show(state: ServiceState): void {
    this.state = state;
    this.render();
  }

  /** Shows or hides the note that the application quits after the payments in flight. */
  setQuitPending(isQuitPending: boolean): void {
    this.isQuitPending = isQuitPending;
    this.render();
  }

  /** Rebuilds the menu, because Linux does not show changes of an existing one. */
  private render(): void {
    const { state } = this;
    const address = state.kind === 'running' ? state.baseUrl : undefined;
    const isClosed = state.kind === 'closed';
    const status = this.isQuitPending && !isClosed ? t('quits when the payments in flight are complete') : describeState(state);
    this.tray.setToolTip(`${app.getName()}: ${status}`);
    const separator: MenuItemConstructorOptions = { type: 'separator' };
    this.tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: t('Open Paydesk'), enabled: !isClosed, click: () => this.mainWindow.open() },
        {
          label: t('New sale'),
          enabled: !isClosed,
          click: () => {
            this.mainWindow.open();
            this.mainWindow.sendCommand('new-sale');
          },
        },
        separator,
        { label: status, enabled: false },
        {
          label: t('Copy API address'),
          enabled: address !== undefined,
          click: () => clipboard.writeText(address ?? ''),
        },
        separator,
        { label: isClosed ? t('Quit now') : t('Quit Paydesk'), click: () => app.quit() },
      ]),
    );
  }
}

function describeState(state: ServiceState): string {
  if (state.kind === 'running') return t('API running at {{address}}', { address: new URL(state.baseUrl).host });
  if (state.kind === 'closed') return t('API stopping');
  if (state.kind === 'failed') return t('API not running: {{reason}}', { reason: state.failure.title });
  if (state.step === undefined) return t('API starting');
  return state.step.kind === 'check' ? t('API starting: the database is checked') : t('API starting: the database is updated');
}
