import { DamagedDatabase } from '#core/database/integrity';
import { type ServerOptions, startServer } from '#server';
import { releaseIdleMemory } from './idle-memory.ts';

const STOP_WITHIN_MS = 10_000;

/**
 * Runs a server until a signal ends the process. Writes one line of JSON to standard output when it is ready.
 * @throws Error with instructions for the operator if it cannot start.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const server = await startServer(options).catch((error: unknown) => {
    throw new Error(startFailure(error));
  });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`paydesk: ${startFailure(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { baseUrl, environment, credentials, metricsUrl } = server;
  releaseIdleMemory();
  process.stdout.write(
    `${JSON.stringify({ event: 'ready', baseUrl, environment, ...(credentials ? { credentials } : {}), ...(metricsUrl ? { metricsUrl } : {}) })}\n`,
  );
}

/** Returns the reason why a server did not start, for its operator. */
export function startFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'Another program uses the port. Choose another one with --port.';
  return error instanceof DamagedDatabase ? `${message} ${error.instructions}` : message;
}
