import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { DemoCredentials } from '#server';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { timed } from './timings.ts';

/** A server in a process of its own, that can be killed. */
export interface ServerProcess {
  readonly baseUrl: string;
  readonly credentials: DemoCredentials;
  /** What it has written to standard error. */
  log(): string;
  /** SIGKILL: nothing gets a chance to be put in order. */
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `serve --demo` on a data directory and waits for its ready line. */
export function startServerProcess(dataDir: string, databaseUrl?: string, more: string[] = []): Promise<ServerProcess> {
  return startProcess(dataDir, databaseUrl, ['--demo', ...more]);
}

/** As startServerProcess, without the demo's tenants and their months of sales. */
export function startEmptyProcess(dataDir: string, databaseUrl?: string): Promise<Omit<ServerProcess, 'credentials'>> {
  return startProcess(dataDir, databaseUrl, []);
}

function startProcess(dataDir: string, databaseUrl: string | undefined, more: string[]): Promise<ServerProcess> {
  return timed('server: start as a process', () => start(dataDir, databaseUrl, more));
}

async function start(dataDir: string, databaseUrl: string | undefined, more: string[]): Promise<ServerProcess> {
  const database = databaseUrl ? ['--database-url', databaseUrl] : [];
  const child: ChildProcess = spawn(
    process.execPath,
    [await buildServiceWhenStale(), '--data-dir', dataDir, '--port', '0', ...database, ...more],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await Promise.race([once(lines, 'line'), exited.then(() => [null])])) as [string | null];
  if (line === null) throw new Error(`the server ended before it was ready:\n${log}`);
  const { baseUrl, credentials } = JSON.parse(line) as { baseUrl: string; credentials: DemoCredentials };
  return {
    baseUrl,
    credentials,
    log: () => log,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
