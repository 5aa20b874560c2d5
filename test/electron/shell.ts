import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Electron from 'electron';
import { ROOT } from '../../scripts/build-when-stale.ts';
import { pause } from '../support/until.ts';
import type { Evaluated } from './double/control.ts';
import type * as double from './double/electron.ts';

export const MAIN = join(ROOT, 'out/main/main.js');
export const PRELOAD = join(ROOT, 'out/preload/preload.cjs');
const REGISTER = join(import.meta.dirname, 'double/register.ts');
const START_TIMEOUT_MS = 60_000;

/** A running application: Electron's own, or the built main process on the double. */
export interface Shell<Module = typeof Electron> {
  readonly dataDir: string;
  /** Runs a function, which sees nothing around it, in the main process. */
  evaluate<Result, Argument>(run: (electron: Module, argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>>;
  /** The value of an expression in the main window's page. */
  inPage<Result>(expression: string): Promise<Result>;
  /** Asks it to quit and answers the exit code. */
  quit(): Promise<number | null>;
}

export type Double = typeof double;

export interface DoubleShell extends Shell<Double> {
  readonly exited: Promise<number | null>;
  /** What it wrote to standard error so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the built main process on the double, in a folder of its own or the given one. Answers before it is ready. */
export async function spawnDouble(flags: string[] = [], dataDir?: string): Promise<DoubleShell> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'paydesk-shell-')));
  const argv = ['--import', REGISTER, MAIN, `--user-data-dir=${folder}`, ...flags];
  const child = spawn(process.execPath, argv, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let said = '';
  const listen = (part: Buffer) => {
    said += part.toString();
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const evaluate = evaluator(child, exited, () => said);
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
    log: () => said,
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

/** Starts it and waits for the page in its window. */
export async function launchDouble(flags: string[] = [], dataDir?: string): Promise<DoubleShell> {
  const shell = await spawnDouble(flags, dataDir);
  const isShown = () =>
    shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()), undefined);
  await until(isShown, START_TIMEOUT_MS);
  return shell;
}

/** The double where a test wants either: it has the members of Electron that the shell and the common flows use, under the same names and shapes. */
export function asShell(double: DoubleShell): Shell {
  return double as unknown as Shell;
}

/** Waits for a condition, asking again and again; a condition that throws ends the wait. */
export async function until(condition: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${condition}`);
    await pause(20);
  }
}

/** Answers a way to run functions in a child on the double. Its death fails what it has not answered. */
function evaluator(child: ChildProcess, exited: Promise<number | null>, log: () => string): DoubleShell['evaluate'] {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (cause: Error) => void }>();
  let last = 0;
  child.on('message', (answer: Evaluated) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('problem' in answer) asker?.reject(new Error(answer.problem));
    else asker?.resolve(answer.value as never);
  });
  const ended = async () => new Error(`the application ended with ${await exited}:\n${log()}`);
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
