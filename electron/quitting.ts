import { app, dialog } from 'electron';
import { HIDDEN_FLAG } from './login-item.ts';
import { type InFlight, PAYMENT_MS_MAX } from './server-process/in-flight.ts';
import type { ServerKeeper } from './server-process/keep-server.ts';
import type { Updates } from './updates/updates.ts';
import type { Closing } from './window/closing.ts';
import type { Desk } from './window/main-window.ts';
import type { TrayIcon } from './window/tray.ts';

/** Time within which payments in flight usually end, so that no question is asked. */
const GRACE_MS = 300;
/** Time for the server to stop if a person does not want to wait. */
const HURRIED_MS = 2_000;

const BUTTONS = ['Wait', 'Quit anyway', 'Cancel'];
const WAIT = 0;
const QUIT = 1;
const CANCEL = 2;
const DETAIL =
  'Wait: Paydesk quits by itself once the answer is there, after three minutes at the latest. Quit anyway: the next start looks up what became of it; do not charge the card again before that.';

interface QuittingParts {
  readonly inFlight: InFlight;
  readonly desk: Desk;
  readonly tray: TrayIcon;
  readonly closing: Closing;
  readonly keeper: ServerKeeper;
  readonly updates: Updates;
}

/** The wait before quitting; a person may cancel it. */
interface Wait {
  /** Ends when the last payment is answered, or takes too long. */
  readonly over: Promise<boolean>;
  /** The question about it that was put last. */
  asked: Promise<unknown>;
}

/**
 * Quits the application. While payments are in flight, a person is asked; then the window closes, which may ask as well, the server
 * completes its requests, and a new version is installed last. A second quit in the meantime hurries it.
 */
export class Quitting {
  private readonly parts: QuittingParts;
  private phase: 'running' | 'stopping' | 'stopped' = 'running';
  /** Payments in flight are no obstacle any more. */
  private isDecided = false;
  private isHurried = false;
  private isAsking = false;
  private wait: Wait | undefined;
  private hurry: () => void = () => undefined;
  /** Arguments of a second start in the meantime. */
  private arrival: readonly string[] | undefined;

  constructor(parts: QuittingParts) {
    this.parts = parts;
    app.on('before-quit', (event) => {
      if (this.phase !== 'running' || this.isDecided || parts.inFlight.count === 0) {
        parts.closing.leave();
        return;
      }
      event.preventDefault();
      this.ask().catch((cause: unknown) => console.error('The question about payments in flight was not answered.', cause));
    });
    app.on('will-quit', (event) => {
      if (this.phase === 'stopped') return;
      event.preventDefault();
      if (this.phase === 'stopping') this.hurry();
      else this.stop().catch(failed);
    });
    app.on('second-instance', (_event, argv) => {
      if (this.phase !== 'running') this.arrival = argv.slice(1);
    });
    app.on('activate', () => {
      if (this.phase !== 'running') this.arrival ??= process.argv.slice(1).filter((given) => given !== `--${HIDDEN_FLAG}`);
    });
  }

  /** The person stays: nothing is ended or installed, and the next time it is asked again. */
  stay(): void {
    this.isDecided = false;
    this.isHurried = false;
    this.wait = undefined;
    this.parts.closing.stay();
    this.parts.updates.stay();
    this.parts.tray.quitsSoon(false);
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      if (await this.parts.inFlight.drained(GRACE_MS)) return this.leave();
      const closing = new AbortController();
      const wait = this.waiting();
      wait.over.then(() => closing.abort());
      const question = this.question(closing.signal);
      wait.asked = question.catch(() => undefined);
      const choice = await question;
      if (closing.signal.aborted) return;
      if (choice === QUIT) this.leave({ isHurried: true });
      else if (choice === CANCEL) this.stay();
      else this.parts.tray.quitsSoon(true);
    } finally {
      this.isAsking = false;
    }
  }

  private async question(signal: AbortSignal): Promise<number> {
    const { count } = this.parts.inFlight;
    const message = count === 1 ? '1 payment is waiting for its answer.' : `${count} payments are waiting for their answers.`;
    this.parts.desk.open();
    const window = this.parts.desk.current;
    if (window === undefined) return WAIT;
    const question = { type: 'question' as const, message, detail: DETAIL, buttons: BUTTONS, defaultId: WAIT, cancelId: CANCEL, signal };
    return (await dialog.showMessageBox(window, question)).response;
  }

  /** Quits when the payments in flight have been answered, unless a person cancels. */
  private waiting(): Wait {
    if (this.wait !== undefined) return this.wait;
    const wait: Wait = { over: this.parts.inFlight.drained(PAYMENT_MS_MAX), asked: Promise.resolve() };
    wait.over.then(async (isDrained) => {
      // A window with an open question does not close on every system.
      await wait.asked;
      if (this.wait === wait && !this.isDecided) this.leave({ isHurried: !isDrained });
    });
    this.wait = wait;
    return wait;
  }

  private leave({ isHurried = false } = {}): void {
    this.isDecided = true;
    this.isHurried = isHurried;
    app.quit();
  }

  private async stop(): Promise<void> {
    const { desk, keeper, updates } = this.parts;
    this.phase = 'stopping';
    desk.end();
    const hurried = new Promise<void>((resolve) => {
      this.hurry = resolve;
      if (this.isHurried) setTimeout(resolve, HURRIED_MS);
    });
    await Promise.race([keeper.close(), hurried]);
    this.phase = 'stopped';
    if (await updates.finish()) return;
    if (this.arrival !== undefined) app.relaunch({ args: [...this.arrival] });
    app.exit(0);
  }
}

function failed(cause: unknown): void {
  console.error('The server did not stop in order.', cause);
  app.exit(1);
}
