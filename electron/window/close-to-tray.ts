import { app, type BrowserWindow, dialog } from 'electron';
import { t } from '../language/index.ts';
import type { SettingsFile } from '../shell-settings.ts';

const KEEP_RUNNING = 0;
const QUIT = 1;
const question = () => ({
  type: 'question' as const,
  message: t('Keep Paydesk running in the tray?'),
  detail: t(
    'Paydesk’s API, webhooks and scheduled payments run only while Paydesk is running. You can change this later under “This workstation”.',
  ),
  buttons: [t('Keep running'), t('Quit Paydesk'), t('Cancel')],
  defaultId: KEEP_RUNNING,
  cancelId: 2,
});

/** Handles closing the window: hides it or quits. Quitting stops the API, so the first close asks, and the choice is stored. */
export class CloseToTray {
  private readonly settings: SettingsFile;
  private isQuitting = false;
  private isAsking = false;

  constructor(settings: SettingsFile) {
    this.settings = settings;
  }

  /** Handles a request to close the window. Returns true if the window must not be closed, because it is hidden, a question is open or the application quits first. */
  handleClose(window: BrowserWindow): boolean {
    const { closeToTray } = this.settings.current;
    if (this.isQuitting) return false;
    // Quitting closes the window, but must not start within the close event.
    if (closeToTray === false) setImmediate(() => app.quit());
    else if (closeToTray) window.hide();
    else void this.ask(window);
    return true;
  }

  /** Lets the window close, because the application quits. */
  allowClose(): void {
    this.isQuitting = true;
  }

  /** Handles the next close as usual again, because quitting was canceled. */
  cancelQuit(): void {
    this.isQuitting = false;
  }

  private async ask(window: BrowserWindow): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    const { response } = await dialog.showMessageBox(window, question()).finally(() => {
      this.isAsking = false;
    });
    if (response !== KEEP_RUNNING && response !== QUIT) return;
    this.settings.change({ closeToTray: response === KEEP_RUNNING });
    if (response === KEEP_RUNNING) window.hide();
    else app.quit();
  }
}
