import { availableParallelism } from 'node:os';
import { lockDirectory } from '#core/database';
import { DamagedDatabase } from '#core/database/integrity';
import type { ServerOptions } from '#server';
import { databaseUrlOf } from '#server/operation/config';
import { ownGroup, type ReadyLine } from '#server/operation/processes';
import { releaseIdleMemory } from './idle-memory.ts';
import { fixedPort, Supervisor } from './supervisor.ts';

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 4801;
const STOP_WITHIN_MS = 10_000;
const QUIET_LEVELS: readonly string[] = ['silent', 'fatal', 'error'];

/**
 * Runs a server until a signal ends the process, in one process or several. Writes one line of JSON to standard output when it is ready.
 * @throws Error with instructions for the operator if it cannot start.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const group = ownGroup();
  if (group) return runInGroup(options, group);
  const count = await processCount(options);
  if (count > 1) return runSupervisor(options, count);
  const line = await runHere(options);
  writeLine(line);
}

/** Returns the number of processes of a server. @throws Error if the database allows only one. */
export async function processCount({ processes = 1, ...options }: ServerOptions, cores = availableParallelism()): Promise<number> {
  if (processes === 1) return 1;
  const isShared = (await databaseUrlOf(options)) !== undefined;
  if (processes === 'auto') return isShared ? cores : 1;
  if (isShared) return processes;
  throw new Error(
    `--processes ${processes} requires PostgreSQL. A SQLite file is used by one process only: name a PostgreSQL database with --database-url, or start with --processes auto or without the option.`,
  );
}

/** Runs a server in this process until a signal arrives. Returns the line that announces it. */
async function runHere(options: ServerOptions): Promise<ReadyLine> {
  const { startServer } = await import('#server');
  const server = await startServer(options).catch((error: unknown) => {
    throw new Error(startFailure(error));
  });
  onStop(STOP_WITHIN_MS, () => {
    options.group?.stopping();
    return server.close();
  });
  releaseIdleMemory();
  const { baseUrl, environment, credentials, metricsUrl } = server;
  return { baseUrl, environment, ...(credentials ? { credentials } : {}), ...(metricsUrl ? { metricsUrl } : {}) };
}

async function runInGroup(options: ServerOptions, group: NonNullable<ServerOptions['group']>): Promise<void> {
  const { port, metricsPort } = group.role;
  try {
    group.ready(await runHere({ ...options, port, metricsPort: metricsPort ?? undefined, group }));
  } catch (error) {
    await group.failed((error as Error).message);
    process.exit(1);
  }
}

async function runSupervisor(options: ServerOptions, count: number): Promise<void> {
  const port = await fixedPort(options.host ?? LOOPBACK, options.port ?? DEFAULT_PORT);
  const metricsPort = options.metricsPort === undefined ? null : await fixedPort(LOOPBACK, options.metricsPort);
  const lock = lockDirectory(options.dataDir);
  const supervisor = new Supervisor({
    count,
    port,
    metricsPort,
    report(msg, context) {
      if (QUIET_LEVELS.includes(options.logLevel ?? '')) return;
      const time = new Date().toISOString();
      process.stderr.write(`${JSON.stringify({ level: 40, time, pid: process.pid, process: 'main', ...context, msg })}\n`);
    },
  });
  onStop(STOP_WITHIN_MS * 2, async () => {
    await supervisor.stop();
    lock.release();
  });
  try {
    const line = await supervisor.start();
    writeLine({ ...line, processes: count });
  } catch (error) {
    await supervisor.stop();
    lock.undo();
    throw error;
  }
}

/** Runs `close` when a signal arrives, and ends the process afterwards, at the latest after a time limit. */
function onStop(withinMs: number, close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), withinMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`paydesk: ${startFailure(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function writeLine(line: ReadyLine & { readonly processes?: number }): void {
  process.stdout.write(`${JSON.stringify({ event: 'ready', ...line })}\n`);
}

/** Returns the reason why a server did not start, for its operator. */
export function startFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'Another program uses the port. Choose another one with --port.';
  return error instanceof DamagedDatabase ? `${message} ${error.instructions}` : message;
}
