import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

/** A server in its own process that has printed its address on one line. */
export interface Running<Line> {
  readonly line: Line;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a script and waits for the JSON line that it prints when it is ready. On Linux it is pinned to a core. */
export async function start<Line>(script: string, args: readonly string[], core: 0 | 1 = 0): Promise<Running<Line>> {
  const command = [process.execPath, join(ROOT, script), ...args];
  const [file, ...rest] = process.platform === 'linux' ? ['taskset', '-c', String(core), ...command] : command;
  const child: ChildProcess = spawn(file as string, rest, { stdio: ['ignore', 'pipe', 'inherit'], cwd: ROOT });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [null])])) as [string | null];
  if (line === null) throw new Error(`${script} ended before it was ready`);
  return {
    line: JSON.parse(line) as Line,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
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
