import { app, type BrowserWindow, dialog } from 'electron';
import type { SettingsFile } from '../shell-settings.ts';

const KEEP = 0;
const QUIT = 1;
const QUESTION = {
  type: 'question' as const,
  message: 'Keep Paydesk running in the tray?',
  detail:
    'Paydesk’s API, its webhooks and its scheduled payments run only while Paydesk does. You can change this later under “This workstation”.',
  buttons: ['Keep running', 'Quit Paydesk', 'Cancel'],
  defaultId: KEEP,
  cancelId: 2,
};

/** Decides what closing the window means. Closing stops the API, so the first time a person is asked, and the answer is kept (experience 1.2 row 20). */
export class Closing {
  private readonly settings: SettingsFile;
  private isQuitting = false;
  private isAsking = false;

  constructor(settings: SettingsFile) {
    this.settings = settings;
  }

  /** Returns true if the window stays, hidden or not; also while the question is open. */
  keepsOpen(window: BrowserWindow): boolean {
    const { closeToTray } = this.settings.current;
    if (this.isQuitting) return false;
    // Quitting closes the window if nothing prevents it, but not within the event that asks.
    if (closeToTray === false) setImmediate(() => app.quit());
    else if (closeToTray) window.hide();
    else void this.ask(window);
    return true;
  }

  /** The application quits: the window closes with it. */
  leave(): void {
    this.isQuitting = true;
  }

  /** A quit that was held up is over. */
  stay(): void {
    this.isQuitting = false;
  }

  private async ask(window: BrowserWindow): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    const { response } = await dialog.showMessageBox(window, QUESTION).finally(() => {
      this.isAsking = false;
    });
    if (response !== KEEP && response !== QUIT) return;
    this.settings.change({ closeToTray: response === KEEP });
    if (response === KEEP) window.hide();
    else app.quit();
  }
}
