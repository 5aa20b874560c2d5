import { type BrowserWindow, dialog } from 'electron';
import { t } from '../language/index.ts';

const LEAVE = 0;
const STAY = 1;
const question = () => ({
  type: 'question' as const,
  message: t('Leave this page?'),
  detail: t('Unsaved changes on this page will be lost.'),
  buttons: [t('Leave'), t('Stay')],
  defaultId: STAY,
  cancelId: STAY,
});

/** Action that may leave the page: `run` repeats it when the person agrees; `onStay` is called when they stay. */
interface PendingAction {
  readonly run: () => void;
  readonly onStay?: () => void;
}

/**
 * Asks before a page with unfinished work is left; without this, the window would stay open without an explanation. Electron needs an
 * immediate decision, and the API must continue while the person decides: so the page stays at first, and the action is repeated if they
 * leave.
 */
export class UnloadGuard {
  private readonly window: BrowserWindow;
  private readonly onStay: () => void;
  private pendingAction: PendingAction | undefined;
  private isAsking = false;
  private mayUnload = false;

  constructor(window: BrowserWindow, onStay: () => void) {
    this.window = window;
    this.onStay = onStay;
    const { webContents } = window;
    webContents.on('will-prevent-unload', (event) => {
      if (this.mayUnload) event.preventDefault();
      else this.ask().catch((cause: unknown) => console.error('The question about the page was not answered.', cause));
      this.mayUnload = false;
    });
    webContents.on('did-navigate', () => {
      this.pendingAction = undefined;
      this.mayUnload = false;
    });
  }

  /** Sets the action that is repeated when the page may be left; without one, the page is reloaded. */
  setPendingAction(action: PendingAction): void {
    this.pendingAction = action;
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      if (!this.window.isVisible()) this.window.show();
      const { response } = await dialog.showMessageBox(this.window, question());
      if (this.window.isDestroyed()) return;
      const { run, onStay } = this.pendingAction ?? { run: () => this.window.webContents.reload() };
      this.pendingAction = undefined;
      this.mayUnload = response === LEAVE;
      if (this.mayUnload) run();
      else {
        onStay?.();
        this.onStay();
      }
    } finally {
      this.isAsking = false;
    }
  }
}
