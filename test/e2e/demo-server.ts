import { once } from 'node:events';
import type { ServerOptions } from '#server';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { onReady, type ReadyLine, spawnServer } from '../../scripts/child.ts';
import { timed } from '../support/timings.ts';
import { RECEIVER_CA_FILE } from '../support/webhook-receiver.ts';

/** Environment variable with the data directory that global-setup.ts fills with sample data. */
export const SEEDED_DATA = 'PAYDESK_E2E_SEEDED_DATA';

/** Ends a start that hangs; the time of a test is longer. */
export const START_TIMEOUT_MS = 150_000;
export const STOP_TIMEOUT_MS = 15_000;

/** Options of every server with the demo tenants. */
export const DEMO_OPTIONS = {
  demo: true,
  logLevel: 'error',
  webhookCa: RECEIVER_CA_FILE,
  // A tier with limits that no test reaches.
  enterpriseLimits: '100000,1000000,10000000',
} as const satisfies Partial<ServerOptions>;

/** Starts the bundled service with the demo tenants on a data directory and waits until it is ready. The caller stops it. */
export async function startService(
  dataDir: string,
  sampleData: 'sales' | 'business' = 'sales',
): Promise<{ ready: ReadyLine; stop: () => Promise<void> }> {
  const flags = [
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--demo',
    '--sample-data',
    sampleData,
    '--log-level',
    DEMO_OPTIONS.logLevel,
    '--webhook-ca',
    DEMO_OPTIONS.webhookCa,
    '--enterprise-limits',
    DEMO_OPTIONS.enterpriseLimits,
  ];
  const child = spawnServer(flags, { program: await buildServiceWhenStale() });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(killTimer);
  };
  try {
    const ready = await timed('server: start as a process', () => readyLine());
    return { ready, stop: () => timed('server: stop', stop) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }

  function readyLine(): Promise<ReadyLine> {
    return new Promise((resolve, reject) => {
      onReady(child, resolve);
      exited.then(([code]) => reject(new Error(`The server exited with code ${code} before it was ready.`)));
      setTimeout(() => reject(new Error('The server was not ready in time.')), START_TIMEOUT_MS).unref();
    });
  }
}
