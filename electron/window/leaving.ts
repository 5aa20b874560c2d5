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

/** What is done anew when a person leaves the page, and what when they stay. */
interface Wish {
  readonly again: () => void;
  readonly onStay?: () => void;
}

/**
 * Asks before a page with something unfinished is left; without this it would keep the window open and not say why. Electron wants to know at once and a person
 * takes time, in which the API must go on: so the page stays at first, and what was wanted is done anew when they leave it.
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

  /** Told what is about to be tried, to be tried again when the page may be left; without a word it is taken for a reload. */
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
