import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DemoCredentials } from '#server';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { timed } from './timings.ts';

/**
 * The command line, for `node`, from the bundle that the global setup builds. A command that opens a data directory starts in a third of the
 * time that `cli/paydesk.mjs` needs.
 */
export const BUNDLED_COMMAND = join(import.meta.dirname, 'run-command.mjs');

/** A server in its own process, which can be killed. */
export interface ServerProcess {
  readonly baseUrl: string;
  readonly credentials: DemoCredentials;
  /** Address of the metrics, if the server has a port for them. */
  readonly metricsUrl: string | undefined;
  /** Sends SIGSTOP. The process keeps its connections and does nothing until `resume`. */
  suspend(): void;
  /** Sends SIGCONT. */
  resume(): void;
  /** Output on standard error. */
  log(): string;
  /** Sends SIGKILL, so that no cleanup runs. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** A server process that may not be ready yet. */
interface LaunchedServer {
  /** Resolves when the server answers; rejects with its log if it ends before. */
  readonly ready: Promise<ServerProcess>;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
}

/** The processes that have not ended yet. */
const running = new Map<ChildProcess, Promise<unknown>>();

/** Kills the server processes that remain after a test, for example because it failed. */
export async function killServerProcesses(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
}

/** Starts `serve --demo` on a data directory and waits for its ready line. */
export function startServerProcess(dataDir: string, databaseUrl?: string, more: string[] = []): Promise<ServerProcess> {
  return startProcess(dataDir, databaseUrl, ['--demo', '--sample-data', 'sales', ...more]);
}

/** Starts a server process without the demo's tenants and their months of sales. */
export function startEmptyProcess(dataDir: string, databaseUrl?: string, more: string[] = []): Promise<Omit<ServerProcess, 'credentials'>> {
  return startProcess(dataDir, databaseUrl, more);
}

/** Launches `serve --demo` without waiting for it. */
export async function launchServerProcess(dataDir: string, databaseUrl?: string, more: string[] = []): Promise<LaunchedServer> {
  return launch(await buildServiceWhenStale(), dataDir, databaseUrl, ['--demo', '--sample-data', 'sales', ...more]);
}

/** Launches a server process without the demo's tenants, without waiting for it. */
export async function launchEmptyProcess(dataDir: string, databaseUrl?: string): Promise<LaunchedServer> {
  return launch(await buildServiceWhenStale(), dataDir, databaseUrl, []);
}

function startProcess(dataDir: string, databaseUrl: string | undefined, more: string[]): Promise<ServerProcess> {
  return timed('server: start as a process', async () => launch(await buildServiceWhenStale(), dataDir, databaseUrl, more).ready);
}

function launch(program: string, dataDir: string, databaseUrl: string | undefined, more: string[]): LaunchedServer {
  const database = databaseUrl ? ['--database-url', databaseUrl] : [];
  const child: ChildProcess = spawn(process.execPath, [program, '--data-dir', dataDir, '--port', '0', ...database, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(child, 'exit');
  running.set(child, exited);
  void exited.then(() => running.delete(child));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const waitUntilReady = async (): Promise<ServerProcess> => {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [line] = (await Promise.race([once(lines, 'line'), exited.then(() => [null])])) as [string | null];
    if (line === null) throw new Error(`the server ended before it was ready:\n${log}`);
    const { baseUrl, credentials, metricsUrl } = JSON.parse(line) as { baseUrl: string; credentials: DemoCredentials; metricsUrl?: string };
    return {
      baseUrl,
      credentials,
      metricsUrl,
      suspend: () => void child.kill('SIGSTOP'),
      resume: () => void child.kill('SIGCONT'),
      log: () => log,
      kill,
      async stop() {
        child.kill('SIGTERM');
        const [code] = (await exited) as [number | null];
        return code;
      },
    };
  };
  const ready = waitUntilReady();
  // A server that is killed before it is ready rejects, and its caller may not wait for it.
  ready.catch(() => {});
  return { ready, kill };
}
