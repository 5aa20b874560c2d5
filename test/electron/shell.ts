import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Electron from 'electron';
import { ROOT } from '../../scripts/bundle.ts';
import { pause } from '../support/until.ts';
import type { EvaluationResult } from './double/control.ts';
import type * as double from './double/electron.ts';

export const MAIN = join(ROOT, 'out/main/main.js');
export const PRELOAD = join(ROOT, 'out/preload/preload.cjs');
export const REGISTER = join(import.meta.dirname, 'double/register.ts');
/** Flag for tests whose subject is not the screens of the application: its page is loaded without its scripts. */
export const WITHOUT_SCREENS = '--double-files=empty';
const START_TIMEOUT_MS = 60_000;

/** A running application, on Electron or on its double. */
export interface Shell<Module = typeof Electron> {
  readonly dataDir: string;
  /** Runs a function in the main process. It cannot use variables of its surroundings. */
  evaluate<Result, Argument>(run: (electron: Module, argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>>;
  /** Returns the value of an expression in the main window's page. */
  inPage<Result>(expression: string): Promise<Result>;
  /** Quits the application and returns the exit code. */
  quit(): Promise<number | null>;
}

type Double = typeof double;

export interface DoubleShell extends Shell<Double> {
  readonly exited: Promise<number | null>;
  /** Returns the output of the process so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the built main process on the Electron double, in a new or the given folder. Returns before the application is ready. */
export async function spawnDouble(flags: string[] = [], dataDir?: string): Promise<DoubleShell> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'paydesk-shell-')));
  const argv = ['--import', REGISTER, MAIN, `--user-data-dir=${folder}`, ...flags];
  const child = spawn(process.execPath, argv, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  const collect = (part: Buffer) => {
    output += part.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const evaluate = evaluator(child, exited, () => output);
  const inPage = <Result>(expression: string) => {
    return evaluate(
      ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
      expression,
    ) as Promise<Result>;
  };
  return {
    dataDir: folder,
    exited,
    evaluate,
    inPage,
    log: () => output,
    quit: async () => {
      await evaluate(({ app }) => void setImmediate(() => app.quit()), undefined);
      return exited;
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the application on the Electron double and waits for its window. */
export async function launchDouble(flags: string[] = [], dataDir?: string): Promise<DoubleShell> {
  const shell = await spawnDouble(flags, dataDir);
  const isShown = () =>
    shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()), undefined);
  await until(isShown, START_TIMEOUT_MS);
  return shell;
}

/** Returns the double as a `Shell`. It has the members of Electron that the application and the common tests use, with the same types. */
export function asShell(double: DoubleShell): Shell {
  return double as unknown as Shell;
}

/** Polls a condition until it is true. An error of the condition ends the wait. */
export async function until(condition: () => Promise<boolean>, timeoutMs = 50_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Condition not met after ${timeoutMs} ms: ${condition}`);
    await pause(20);
  }
}

/** Returns a function that runs functions in a child process. If the child ends, open calls fail. */
function evaluator(child: ChildProcess, exited: Promise<number | null>, log: () => string): DoubleShell['evaluate'] {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (cause: Error) => void }>();
  let last = 0;
  child.on('message', (answer: EvaluationResult) => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('problem' in answer) caller?.reject(new Error(answer.problem));
    else caller?.resolve(answer.value as never);
  });
  const ended = async () => new Error(`The application ended with ${await exited}:\n${log()}`);
  void exited.then(async () => {
    for (const { reject } of waiting.values()) reject(await ended());
  });
  return async <Result, Argument>(run: (electron: Double, argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>> => {
    if (!child.connected) throw await ended();
    return new Promise<Awaited<Result>>((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.send({ id: last, source: run.toString(), argument });
    });
  };
}
