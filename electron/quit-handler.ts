import { app, dialog } from 'electron';
import { t } from './language/index.ts';
import { HIDDEN_FLAG } from './login-item.ts';
import { type InFlightRequests, PAYMENT_MS_MAX } from './server-process/in-flight.ts';
import type { ServerSupervisor } from './server-process/server-supervisor.ts';
import type { Updates } from './updates/updates.ts';
import type { CloseToTray } from './window/close-to-tray.ts';
import type { MainWindow } from './window/main-window.ts';
import type { TrayIcon } from './window/tray.ts';

/** Time before the question is asked; most payments in flight end within it. */
const QUESTION_DELAY_MS = 300;
/** Time for the server to stop after "Quit anyway". */
const QUIT_ANYWAY_STOP_MS_MAX = 2_000;

const WAIT = 0;
const QUIT = 1;
const CANCEL = 2;

interface QuitDependencies {
  readonly inFlight: InFlightRequests;
  readonly mainWindow: MainWindow;
  readonly tray: TrayIcon;
  readonly closeToTray: CloseToTray;
  readonly supervisor: ServerSupervisor;
  readonly updates: Updates;
}

/** The wait for payments in flight before quitting; a person may cancel it. */
interface Wait {
  /** Resolves to true when the last payment has its response, and to false after the longest payment time. */
  readonly finished: Promise<boolean>;
  /** Resolves when the last question about the wait is closed. */
  question: Promise<unknown>;
}

/**
 * Quits the application in four steps: asks if payments are in flight; closes the window, which may ask about unfinished work; lets the
 * server complete its requests; installs a downloaded update. A second quit while the server stops ends the application without waiting.
 */
export class QuitHandler {
  private readonly deps: QuitDependencies;
  private phase: 'running' | 'stopping' | 'stopped' = 'running';
  /** True if the application quits in spite of payments in flight. */
  private isDecided = false;
  private quitsAnyway = false;
  private isAsking = false;
  private wait: Wait | undefined;
  private stopWaiting: () => void = () => undefined;
  /** Arguments of a second start while this process stops; the application is then started again with them. */
  private relaunchArgs: readonly string[] | undefined;

  constructor(deps: QuitDependencies) {
    this.deps = deps;
    app.on('before-quit', (event) => {
      if (this.phase !== 'running' || this.isDecided || deps.inFlight.count === 0) {
        deps.closeToTray.allowClose();
        return;
      }
      event.preventDefault();
      this.ask().catch((cause: unknown) => console.error('The question about payments in flight was not answered.', cause));
    });
    app.on('will-quit', (event) => {
      if (this.phase === 'stopped') return;
      event.preventDefault();
      if (this.phase === 'stopping') this.stopWaiting();
      else this.stop().catch(exitAfterFailure);
    });
    app.on('second-instance', (_event, argv) => {
      if (this.phase !== 'running') this.relaunchArgs = argv.slice(1);
    });
    app.on('activate', () => {
      if (this.phase !== 'running') this.relaunchArgs ??= process.argv.slice(1).filter((argument) => argument !== `--${HIDDEN_FLAG}`);
    });
  }

  /** Cancels quitting: nothing is stopped or installed, and the next quit asks again. */
  cancel(): void {
    this.isDecided = false;
    this.quitsAnyway = false;
    this.wait = undefined;
    this.deps.closeToTray.cancelQuit();
    this.deps.updates.cancelRestart();
    this.deps.tray.setQuitPending(false);
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      if (await this.deps.inFlight.waitUntilNone(QUESTION_DELAY_MS)) return this.proceed();
      const closing = new AbortController();
      const wait = this.startWaiting();
      wait.finished.then(() => closing.abort());
      const question = this.question(closing.signal);
      wait.question = question.catch(() => undefined);
      const choice = await question;
      if (closing.signal.aborted) return;
      if (choice === QUIT) this.proceed({ quitsAnyway: true });
      else if (choice === CANCEL) this.cancel();
      else this.deps.tray.setQuitPending(true);
    } finally {
      this.isAsking = false;
    }
  }

  private async question(signal: AbortSignal): Promise<number> {
    const { count } = this.deps.inFlight;
    this.deps.mainWindow.open();
    const window = this.deps.mainWindow.current;
    if (window === undefined) return WAIT;
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: t('{{count, number}} payments are waiting for a response.', { count }),
      detail: t(
        'Wait: Paydesk quits automatically when the response arrives, after three minutes at the latest. Quit anyway: Paydesk looks up the outcome at the next start. Do not charge the card again before that.',
      ),
      buttons: [t('Wait'), t('Quit anyway'), t('Cancel')],
      defaultId: WAIT,
      cancelId: CANCEL,
      signal,
    });
    return response;
  }

  /** Quits when the payments in flight have their responses, unless a person cancels. */
  private startWaiting(): Wait {
    if (this.wait !== undefined) return this.wait;
    const wait: Wait = { finished: this.deps.inFlight.waitUntilNone(PAYMENT_MS_MAX), question: Promise.resolve() };
    wait.finished.then(async (isNoneLeft) => {
      // Some systems do not close a window with an open question.
      await wait.question;
      if (this.wait === wait && !this.isDecided) this.proceed({ quitsAnyway: !isNoneLeft });
    });
    this.wait = wait;
    return wait;
  }

  private proceed({ quitsAnyway = false } = {}): void {
    this.isDecided = true;
    this.quitsAnyway = quitsAnyway;
    app.quit();
  }

  private async stop(): Promise<void> {
    const { mainWindow, supervisor, updates } = this.deps;
    this.phase = 'stopping';
    mainWindow.closeForGood();
    const stopDeadline = new Promise<void>((resolve) => {
      this.stopWaiting = resolve;
      if (this.quitsAnyway) setTimeout(resolve, QUIT_ANYWAY_STOP_MS_MAX);
    });
    await Promise.race([supervisor.close(), stopDeadline]);
    this.phase = 'stopped';
    if (await updates.installOnExit()) return;
    if (this.relaunchArgs !== undefined) app.relaunch({ args: [...this.relaunchArgs] });
    app.exit(0);
  }
}

function exitAfterFailure(cause: unknown): void {
  console.error('The server did not stop cleanly.', cause);
  app.exit(1);
}
