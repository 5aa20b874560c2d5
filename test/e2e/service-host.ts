// Runs the servers of the test files of one worker in this process, one after another: the service is loaded once, not once for each file.
import { join } from 'node:path';
import type { RunningServer, ServerOptions } from '#server';
import { ROOT } from '../../scripts/bundle.ts';

/** The options of a server to start. */
type Start = Omit<ServerOptions, 'port'>;
export type HostRequest = Start | 'stop';
export type HostAnswer = Partial<Pick<RunningServer, 'baseUrl' | 'credentials'>> & { readonly failure?: string };

const OUT = join(ROOT, 'out');
const { startServer } = (await import(join(OUT, 'server.js'))) as typeof import('#server');

let running: RunningServer | undefined;
/** Each server has the address of the one before it, so that the page of that server can be used again. */
let port = 0;

async function start(options: Start): Promise<HostAnswer> {
  running = await startServer({ ...options, port }, OUT).catch((error: NodeJS.ErrnoException) => {
    if (port === 0 || error.code !== 'EADDRINUSE') throw error;
    // Another program took the port in between.
    return startServer({ ...options, port: 0 }, OUT);
  });
  const { baseUrl, credentials } = running;
  port = Number(new URL(baseUrl).port);
  return { baseUrl, ...(credentials && { credentials }) };
}

async function stop(): Promise<HostAnswer> {
  await running?.close();
  running = undefined;
  return {};
}

process.on('message', (request: HostRequest) => {
  const answer = request === 'stop' ? stop() : start(request);
  void answer.catch((error: unknown): HostAnswer => ({ failure: String(error) })).then((told) => process.send?.(told));
});
// The worker has ended.
process.on('disconnect', () => process.exit());
