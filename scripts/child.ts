import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './build-when-stale.ts';

/** The line that the server writes to standard output when it answers requests. */
export interface ReadyLine {
  event: 'ready';
  baseUrl: string;
  environment: string;
  credentials?: { tenantId: string; adminEmail: string; adminPassword: string };
}

/** Starts a service with the flags as a child, by default from `server/serve.ts`; its log stays on standard error, its standard output is ours to read. */
export function spawnServer(flags: string[], nodeFlags: string[] = [], program = join(ROOT, 'server/serve.ts')): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, program, ...flags], {
    cwd: ROOT,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
}

/** Calls `tell` with each ready line of a server: one, or one per restart when Node watches its files. */
export function onReady(server: ChildProcess, tell: (ready: ReadyLine) => void): void {
  if (server.stdout === null) throw new Error('the server was started with its standard output piped');
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (line.startsWith('{"event":"ready"')) tell(JSON.parse(line) as ReadyLine);
    else console.log(line);
  });
}

/** Ends when the child ends, with its exit code; asks it to stop when we are asked to. */
export async function liveAndDieWith(child: ChildProcess): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exit(code ?? 1);
}
