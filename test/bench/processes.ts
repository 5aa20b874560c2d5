import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { EventLoopDelay } from './event-loop-probe.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A server in its own process that has printed its address on one line. */
export interface Running<Line> {
  readonly line: Line;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server whose event loop is measured. */
export interface Probed<Line> extends Running<Line> {
  /** Runs an operation and returns its result with the delay of the server's event loop meanwhile. */
  withEventLoopDelay<Result>(operation: () => Promise<Result>): Promise<{ result: Result; delay: EventLoopDelay }>;
}

const PROBE = join(import.meta.dirname, 'event-loop-probe.ts');

/** Starts a script and waits for the JSON line that it prints when it is ready. On Linux it is pinned to a core. */
export async function start<Line>(script: string, args: readonly string[], core: Core = 0): Promise<Running<Line>> {
  return (await launch<Line>([join(ROOT, script), ...args], core, false)).running;
}

/** Same as `start`, with a probe that measures the event loop. */
export async function startProbed<Line>(script: string, args: readonly string[], core: Core = 0): Promise<Probed<Line>> {
  const { running, child } = await launch<Line>(['--import', PROBE, join(ROOT, script), ...args], core, true);
  return {
    ...running,
    async withEventLoopDelay(operation) {
      child.send('start');
      const result = await operation();
      const answer = once(child, 'message') as Promise<[EventLoopDelay]>;
      child.send('stop');
      const [delay] = await answer;
      return { result, delay };
    },
  };
}

/** Core of a server; null if the system chooses. */
type Core = 0 | 1 | null;

async function launch<Line>(
  args: readonly string[],
  core: Core,
  hasChannel: boolean,
): Promise<{ running: Running<Line>; child: ChildProcess }> {
  const command = [process.execPath, ...args];
  const [file, ...rest] = process.platform === 'linux' && core !== null ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(file as string, rest, { stdio: ['ignore', 'pipe', 'inherit', ...(hasChannel ? ['ipc' as const] : [])], cwd: ROOT });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [null])])) as [string | null];
  if (line === null) throw new Error(`${args.join(' ')} ended before it was ready`);
  const running: Running<Line> = {
    line: JSON.parse(line) as Line,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
  return { running, child };
}

/** Length of a clock tick of Linux. */
const TICK_MS = 10;
/** Fields of user and system time in `/proc/PID/stat`, counted after the name of the program. */
const [USER_TIME, SYSTEM_TIME] = [11, 12];

/** Returns the processor time that a process has used; it hardly depends on other programs, unlike durations. NaN if the system is not Linux. */
export function processorMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
}

/** Returns the processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(parent) === pid ? [Number(name)] : [];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
}

/** Returns the processor time of processes, of which one may have ended since. */
export const sumOf = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    try {
      return sum + processorMs(pid);
    } catch {
      return sum;
    }
  }, 0);

const LOOK_EVERY_MS = 1_000;
/** Processor time of a server that only waits, between two looks. */
const IDLE_MS = 50;

/**
 * Waits until a server has finished its work after the start, such as the comparison of settled days and the integrity check, which runs in another process.
 * Returns immediately if the system is not Linux.
 */
export async function untilIdle(pid: number): Promise<void> {
  const spent = () => sumOf([pid, ...childrenOf(pid)]);
  for (let before = spent(), isBusy = true; isBusy; ) {
    await setTimeout(LOOK_EVERY_MS);
    const now = spent();
    isBusy = now - before > IDLE_MS;
    before = now;
  }
}
