import { type BrowserWindow, dialog } from 'electron';

const LEAVE = 0;
const STAY = 1;
const QUESTION = {
  type: 'question' as const,
  message: 'Leave this page?',
  detail: 'What is not finished on it will be lost.',
  buttons: ['Leave', 'Stay'],
  defaultId: STAY,
  cancelId: STAY,
};

/** Action to repeat when a person leaves the page, and action when they stay. */
interface Wish {
  readonly again: () => void;
  readonly onStay?: () => void;
}

/**
 * Asks before a page with unfinished work is left; without this, the window would stay open without an explanation. Electron needs an
 * immediate decision, and the API must continue while the person decides: so the page stays at first, and the action is repeated if they
 * leave.
 */
export class Leaving {
  private readonly window: BrowserWindow;
  private readonly onStay: () => void;
  private wish: Wish | undefined;
  private isAsking = false;
  private isAgreed = false;

  constructor(window: BrowserWindow, onStay: () => void) {
    this.window = window;
    this.onStay = onStay;
    const { webContents } = window;
    webContents.on('will-prevent-unload', (event) => {
      if (this.isAgreed) event.preventDefault();
      else this.ask().catch((cause: unknown) => console.error('The question about the page was not answered.', cause));
      this.isAgreed = false;
    });
    webContents.on('did-navigate', () => {
      this.wish = undefined;
      this.isAgreed = false;
    });
  }

  /** Announces the next action, which is repeated when the page may be left; without it a reload is assumed. */
  wants(wish: Wish): void {
    this.wish = wish;
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      if (!this.window.isVisible()) this.window.show();
      const { response } = await dialog.showMessageBox(this.window, QUESTION);
      if (this.window.isDestroyed()) return;
      const { again, onStay } = this.wish ?? { again: () => this.window.webContents.reload() };
      this.wish = undefined;
      this.isAgreed = response === LEAVE;
      if (this.isAgreed) again();
      else {
        onStay?.();
        this.onStay();
      }
    } finally {
      this.isAsking = false;
    }
  }
}
